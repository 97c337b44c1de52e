/**
 * `limelight doctor`: looks at a site's files, tries a start on a disk that keeps nothing, and says what
 * is wrong and what to do. It changes nothing but with `--accept`.
 */
import { allEntities } from "../../schema/index.ts";
import { examine } from "../backup/doctor.ts";
import type { Engine, Finding } from "../storage/engine.ts";
import { type Command, say } from "./command.ts";
import { engineOf } from "./openSite.ts";

export const doctor: Command = {
  name: "doctor",
  summary: "checks every file of the site; --accept takes what you changed by hand",
  usage: "[--accept] [--json]",
  flags: { "--accept": "alone", "--json": "alone" },
  /** Returns 0 when all is well, 1 when there is a problem. */
  async run(config, _args, flags) {
    const data = engineOf(config);
    const accepted = flags.has("--accept") ? await accept(data) : [];
    const findings = [...accepted, ...(await examine(data, config.uploadsDir))];
    const problems = findings.filter(({ ok }) => !ok);
    if (flags.has("--json")) say(asJson(findings));
    else report(findings, problems.length);
    return problems.length === 0 ? 0 : 1;
  },
};

/** Files that were changed by hand are taken as they are; nobody else may use them in the meantime. */
async function accept(data: Engine): Promise<Finding[]> {
  const release = await data.lock();
  try {
    return await data.accept(allEntities);
  } finally {
    release();
  }
}

function report(findings: readonly Finding[], problems: number): void {
  for (const { ok, refuses, message } of findings)
    say(`${ok ? "ok      " : refuses ? "REFUSED " : "PROBLEM "} ${message}`);
  say(
    problems === 0
      ? "All is well."
      : `${problems} ${problems === 1 ? "problem" : "problems"} found.`,
  );
  if (findings.some(({ refuses }) => refuses)) say("The site would not start as it is.");
}

/** For scripts: `starts` is false when the next start would be refused. */
function asJson(findings: readonly Finding[]): string {
  const well = findings.every(({ ok }) => ok);
  const starts = !findings.some(({ refuses }) => refuses);
  return JSON.stringify({ well, starts, findings }, null, 2);
}
