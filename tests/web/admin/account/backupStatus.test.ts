/** The state of the backups (specification, section 2.22). */
import { afterAll, expect, test } from "bun:test";
import { createElement as h } from "react";
import type { BackupsState } from "../../../../src/schema/api/backups.ts";
import { Backups } from "../../../../src/web/admin/account/backups/Backups.tsx";
import { queryClient } from "../../../../src/web/admin/data/client.ts";
import { renderInDashboard } from "../../../support/renderInDashboard.ts";

afterAll(() => queryClient.clear());

const FAILED = {
  every: 24,
  backups: [],
  warning: null,
  underWay: null,
  here: {
    count: 0,
    bytes: 0,
    failure: { at: "2026-11-29T08:00:00.000Z", message: "The disk is full.", times: 1 },
    lastAt: null,
  },
  away: null,
  keep: { daily: 7, weekly: 4, monthly: 3 },
  rehearsal: null,
  gaveWay: null,
  nextAt: null,
  nextRehearsalAt: null,
} satisfies BackupsState;

test("a failed backup announces another attempt only if automatic backups are on", async () => {
  const render = (change: object) => {
    queryClient.setQueryData(["backups"], { ...FAILED, ...change });
    return renderInDashboard(h(Backups));
  };
  expect(await render({})).toContain("The disk is full. We&#x27;ll try again automatically.");
  const text = await render({ every: null });
  expect(text).toContain("The disk is full.");
  expect(text).not.toContain("try again automatically");
});
