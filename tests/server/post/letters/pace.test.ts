/** Letters leave no faster than a provider lets a new account; this machine takes what it is given. */
import { expect, test } from "bun:test";
import { paceOf } from "../../../../src/server/post/letters/pace.ts";
import type { Sending } from "../../../../src/server/post/mail.ts";

const to = (account: object) =>
  paceOf({ sending: () => ({ full: { account, secret: "" } }) as Sending } as never);

test.each([
  ["Resend", { kind: "resend" }, 100],
  ["Postmark", { kind: "postmark", stream: "" }, 600],
  ["Mailgun", { kind: "mailgun" }, 300],
  ["Amazon SES", { kind: "ses" }, 60],
  ["a mail server elsewhere", { kind: "smtp", host: "mail.example.com" }, 60],
  ["this machine", { kind: "smtp", host: "127.0.0.1" }, undefined],
] as const)("by %s so many go in a minute", (_, account, most) => {
  expect(to(account).perMinute()).toBe(most);
});

test("each waits for its turn after the one before, but not where it is to stop", async () => {
  const pace = to({ kind: "postmark", stream: "" });
  const began = performance.now();
  for (let at = 0; at < 3; at++) await pace.wait(); // oxlint-disable-line no-await-in-loop -- one after the other
  expect(performance.now() - began).toBeGreaterThan(195);
  const slow = to({ kind: "ses" });
  await slow.wait();
  const held = slow.wait();
  slow.release();
  await held;
});
