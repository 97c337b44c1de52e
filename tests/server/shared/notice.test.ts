/** Notices are collected even if one source can't be read. */
import { expect, test } from "bun:test";
import { createHealthCheck } from "../../../src/server/http/health.ts";
import { cannotStore } from "../../../src/server/shared/errors.ts";
import { collectNotices, type Notice } from "../../../src/server/shared/notice.ts";

const WRITES: Notice = {
  code: "writes",
  message: "The database can't be reached.",
  problem: "writes",
};
const throwUnreadable = async () => {
  throw cannotStore("The database can't be reached.");
};

test("a source of notices that can't be read is skipped and reported, and other notices stay", async () => {
  let failures = 0;
  const notices = await collectNotices([throwUnreadable, () => [WRITES]], () => failures++);
  expect([notices, failures]).toEqual([[WRITES], 1]);
  expect(await collectNotices([() => [WRITES]], () => failures++)).toEqual([WRITES]);
  expect(failures).toBe(1);
});

test("the health check reports problems from one source while another source can't be read", async () => {
  const check = createHealthCheck([throwUnreadable, () => [WRITES]], Date.now);
  expect(await check()).toEqual([{ name: "writes", message: WRITES.message }]);
});
