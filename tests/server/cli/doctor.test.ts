/** What scripts read from `limelight doctor --json`. */
import { expect, test } from "bun:test";
import { formatFindingsJson } from "../../../src/server/cli/doctor.ts";
import type { Finding } from "../../../src/server/storage/engine.ts";

test("doctor --json names the fields of a finding as version 1.0.0 did", () => {
  const everything: Required<Finding> = {
    ok: false,
    message: "hero.json is damaged.",
    blocksStart: true,
    isPermissionDenied: true,
    isDataLoss: true,
    isPictureProblem: true,
    isNote: true,
  };
  const report = JSON.parse(formatFindingsJson([everything, { ok: true, message: "Fine." }]));
  const names = ["ok", "message", "blocksStart", "isDenied", "isLoss", "isPicture", "isNote"];
  const [all, plain] = report.findings;
  expect(Object.keys(all).toSorted()).toEqual(names.toSorted());
  expect(names.map((name) => all[name])).toEqual([
    false,
    everything.message,
    ...Array.from({ length: 5 }, () => true),
  ]);
  expect(plain).toEqual({ ok: true, message: "Fine." });
  expect([report.well, report.starts]).toEqual([false, false]);
});
