/**
 * `limelight doctor`: checks a site's files, tries to open it with writes going nowhere, and says what is wrong and
 * what to do. It changes nothing except with `--accept` and `--remove-copies`.
 */
import { allEntities } from "../../schema/index.ts";
import { examine, removeKeptCopies } from "../backup/doctor.ts";
import { type Config, unknownSettings } from "../shared/config.ts";
import { dataKeyOf } from "../shared/dataKey.ts";
import type { Engine, Finding } from "../storage/engine.ts";
import type { PictureStorage } from "../storage/pictures/pictureStorage.ts";
import { secretFinding } from "../storage/siteSecret.ts";
import { type Command, say } from "./command.ts";
import { foreignFiles, lacksRight } from "./foreignFiles.ts";
import { newestBackup } from "./backupAdvice.ts";
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
      done.push(...asNotes(await whileLocked(data, () => data.accept(allEntities))));
    if (flags.has("--remove-copies"))
      done.push(...(await whileLocked(data, () => removeKeptCopies(data, uploads))));
    const findings = [...done, ...unknown(), ...(await allFindings(config, data, uploads))];
    const problems = findings.filter(({ ok }) => !ok);
    if (flags.has("--json")) say(asJson(findings));
    else report(findings, problems.length, await newestBackup(config, messagesOf(problems)));
    return problems.length === 0 ? 0 : 1;
  },
};

/** If files belong to another user, only that is reported: it causes the other findings. */
async function allFindings(
  config: Config,
  data: Engine,
  uploads: PictureStorage,
): Promise<Finding[]> {
  const { site, backups } = await foreignFiles(config);
  const look = async () => [
    ...(await examine(data, uploads)),
    ...(await sealing(data, config)),
    ...(await upkeepFindings(data, config)),
  ];
  if (site.length === 0) return [...backups.map(problem), ...(await look())];
  const refuses = await look().then(
    (found) => found.some((each) => each.refuses),
    (error: unknown) => lacksRight(error) || Promise.reject(error),
  );
  return [...site, ...backups].map((message) => ({ ...problem(message), refuses }));
}

/** A name that looks like a setting's is a problem: what it should change is as if it weren't there. */
const unknown = (): Finding[] =>
  unknownSettings(process.env).map(({ suggestion, message }) =>
    suggestion ? problem(message) : { ok: true, isNote: true, message },
  );

const messagesOf = (findings: readonly Finding[]) => findings.map(({ message }) => message);

const asNotes = (findings: readonly Finding[]) =>
  findings.map((finding) => ({ ...finding, isNote: true }));

const problem = (message: string): Finding => ({ ok: false, message });

/** Whether DATA_KEY opens what is sealed; undefined when nothing is. */
async function sealing(data: Engine, { dataKey }: Config): Promise<Finding[]> {
  const kept = await data.secret().catch(() => undefined);
  const finding = secretFinding(kept, dataKeyOf(dataKey), dataKey !== undefined);
  return finding ? [{ ...finding, isNote: true }] : [];
}

/** Keeps others from using the files while they are changed. Throws `cannot_open` while the site runs. */
async function whileLocked<T>(data: Engine, work: () => Promise<T>): Promise<T> {
  const release = await data.lock();
  try {
    return await work();
  } finally {
    await release();
  }
}

const rankOf = ({ ok, refuses = false }: Finding) => (refuses ? 0 : ok ? 2 : 1);

/** Problems first, then notes, and one line for everything that is fine. */
function report(findings: readonly Finding[], problems: number, newest: string | undefined): void {
  const shown = findings.filter(({ ok, isNote }) => !ok || isNote);
  for (const { ok, refuses, message } of shown.toSorted((a, b) => rankOf(a) - rankOf(b)))
    say(`${ok ? "ok      " : refuses ? "REFUSED " : "PROBLEM "} ${message}`);
  const well = findings.length - shown.length;
  if (well > 0) say(`ok       all else (${well} checks)`);
  say(
    problems === 0
      ? "All is well."
      : `${problems} ${problems === 1 ? "problem" : "problems"} found.`,
  );
  if (findings.some(({ refuses }) => refuses)) say("The site would not start as it is.");
  if (newest) say(newest);
}

/** For scripts: `starts` is false when the next startup would be refused. */
function asJson(findings: readonly Finding[]): string {
  const well = findings.every(({ ok }) => ok);
  const starts = !findings.some(({ refuses }) => refuses);
  return JSON.stringify({ well, starts, findings }, null, 2);
}
