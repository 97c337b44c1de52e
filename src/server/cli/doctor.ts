/**
 * `limelight doctor`: looks at a site's files, tries a start on a disk that keeps nothing, and says what
 * is wrong and what to do. It changes nothing but with `--accept` and `--remove-copies`.
 */
import { allEntities } from "../../schema/index.ts";
import { examine, removeKeptCopies } from "../backup/doctor.ts";
import type { Config } from "../shared/config.ts";
import { dataKeyOf } from "../shared/dataKey.ts";
import type { Engine, Finding } from "../storage/engine.ts";
import { secretFinding } from "../storage/siteSecret.ts";
import { type Command, say } from "./command.ts";
import { engineOf, picturesOf } from "./openSite.ts";
import { upkeepFindings } from "./upkeepFindings.ts";

export const doctor: Command = {
  name: "doctor",
  summary:
    "checks every file of the site; --accept takes what you changed by hand, --remove-copies removes what restores, damage and migrations left",
  usage: "[--accept] [--remove-copies] [--json]",
  flags: { "--accept": "alone", "--remove-copies": "alone", "--json": "alone" },
  /** Returns 0 when all is well, 1 when there is a problem. */
  async run(config, _args, flags) {
    const data = engineOf(config);
    const uploads = picturesOf(config);
    const done: Finding[] = [];
    if (flags.has("--accept"))
      done.push(...(await whileLocked(data, () => data.accept(allEntities))));
    if (flags.has("--remove-copies"))
      done.push(...(await whileLocked(data, () => removeKeptCopies(data, uploads))));
    const findings = [
      ...done,
      ...(await examine(data, uploads)),
      ...(await sealing(data, config)),
      ...(await upkeepFindings(data, uploads, config)),
    ];
    const problems = findings.filter(({ ok }) => !ok);
    if (flags.has("--json")) say(asJson(findings));
    else report(findings, problems.length);
    return problems.length === 0 ? 0 : 1;
  },
};

/** Whether a start could open what is sealed; where nothing is, nothing is said. */
async function sealing(data: Engine, { dataKey }: Config): Promise<Finding[]> {
  const kept = await data.secret().catch(() => undefined);
  return [secretFinding(kept, dataKeyOf(dataKey), dataKey !== undefined)].filter(
    (finding) => finding !== undefined,
  );
}

/** Nobody else may use the files while they are changed. Throws `cannot_open` while the site runs. */
async function whileLocked<T>(data: Engine, work: () => Promise<T>): Promise<T> {
  const release = await data.lock();
  try {
    return await work();
  } finally {
    await release();
  }
}

const rankOf = ({ ok, refuses = false }: Finding) => (refuses ? 0 : ok ? 2 : 1);

/** What is wrong first. */
function report(findings: readonly Finding[], problems: number): void {
  for (const { ok, refuses, message } of findings.toSorted((a, b) => rankOf(a) - rankOf(b)))
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
