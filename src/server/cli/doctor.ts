/** `limelight doctor`: checks a site, and prints what to do. Only `--accept` and `--remove-copies` change files. */
import { allEntities } from "../../schema/index.ts";
import * as v from "valibot";
import { examineSite, removeLeftoverCopies } from "../backup/siteChecks.ts";
import { findReachableHost } from "../http/listenOptions.ts";
import { isFromSite } from "../http/health.ts";
import { ATTENTION_PATH } from "../http/requestTarget.ts";
import { type Config, findMisspelledSettings } from "../shared/config.ts";
import { isPermissionError } from "../shared/errorDetails.ts";
import { createDataKey } from "../shared/secrets.ts";
import {
  type Engine,
  type Finding,
  createProblem,
  createStartRefusalFinding,
} from "../storage/engine.ts";
import type { PictureStorage } from "../storage/pictures/pictureStorage.ts";
import { SECOND } from "../shared/time.ts";
import { createSecretFinding } from "../storage/siteSecret.ts";
import { type Command, printLine } from "./command.ts";
import { findForeignFiles, describeNewestBackup } from "./printError.ts";
import { createEngine, createPictureStorage, withSiteLock } from "./openSite.ts";

export const doctorCommand: Command = {
  name: "doctor",
  summary:
    "checks every file of the site; --accept accepts files you edited by hand; --remove-copies deletes copies left by restores, damage and migrations; --json prints the result for scripts",
  usage: "[--accept] [--remove-copies] [--json]",
  flags: { "--accept": "switch", "--remove-copies": "switch", "--json": "switch" },
  /** Returns 1 if there is a problem, else 0. */
  async run(config, _args, flags) {
    const data = createEngine(config);
    const uploads = createPictureStorage(config);
    const actionFindings: Finding[] = [];
    if (flags.has("--accept")) {
      const accepted = await withSiteLock(data, () => data.acceptManualEdits(allEntities));
      actionFindings.push(...accepted.map((finding) => ({ ...finding, isNote: true })));
    }
    if (flags.has("--remove-copies"))
      actionFindings.push(...(await withSiteLock(data, () => removeLeftoverCopies(data, uploads))));
    const findings = [
      ...actionFindings,
      ...findMisspelledSettings(process.env).map(createProblem),
      ...(await collectAllFindings(config, data, uploads)),
    ];
    const problems = findings.filter(({ ok }) => !ok);
    if (flags.has("--json")) printLine(formatFindingsJson(findings));
    else {
      printFindings(findings, problems.length);
      const newestBackupAdvice =
        problems.some(({ isDataLoss }) => isDataLoss) && (await describeNewestBackup(config));
      if (newestBackupAdvice) printLine(newestBackupAdvice);
    }
    return problems.length === 0 ? 0 : 1;
  },
};

/**
 * Formats the findings as JSON. Scripts depend on its keys, so they don't change when `Finding` does. `starts` is false
 * if a problem keeps the site from starting.
 */
export function formatFindingsJson(findings: readonly Finding[]): string {
  const report = {
    well: findings.every(({ ok }) => ok),
    starts: !findings.some(({ blocksStart }) => blocksStart),
    findings: findings.map((each) => ({
      ok: each.ok,
      message: each.message,
      blocksStart: each.blocksStart,
      isDenied: each.isPermissionDenied,
      isLoss: each.isDataLoss,
      isPicture: each.isPictureProblem,
      isNote: each.isNote,
    })),
  };
  return JSON.stringify(report, null, 2);
}

/** Returns all findings. If another user's files cause some of them, lists those files instead. */
async function collectAllFindings(config: Config, data: Engine, uploads: PictureStorage) {
  const { siteMessages, backupMessages } = await findForeignFiles(config);
  const checks = [
    examineSite(data, uploads),
    checkDataKey(data, config),
    readRunningSiteFindings(data, config),
  ].map((check) => check.catch(toFindings));
  const findings = (await Promise.all(checks)).flat();
  const isCausedByForeignFiles = (finding: Finding) =>
    siteMessages.length > 0 && finding.isPermissionDenied === true;
  const blocksStart = findings.some((each) => isCausedByForeignFiles(each) && each.blocksStart);
  return [
    ...siteMessages.map((message) => ({ ...createProblem(message), blocksStart })),
    ...backupMessages.map(createProblem),
    ...findings.filter((each) => !isCausedByForeignFiles(each)),
  ];
}

/** Converts a permission error to a finding. Throws any other error. */
function toFindings(error: unknown): Finding[] {
  if (!isPermissionError(error)) throw error;
  return [createStartRefusalFinding(error)];
}

/** Returns a note if DATA_KEY doesn't decrypt the stored values. */
async function checkDataKey(data: Engine, { dataKey }: Config): Promise<Finding[]> {
  const secret = await data.readSecret().catch(() => undefined);
  const finding = createSecretFinding(secret, createDataKey(dataKey), dataKey !== undefined);
  return finding ? [{ ...finding, isNote: true }] : [];
}

const createNotListedNote = (address: string, reason: string): Finding => ({
  ok: true,
  isNote: true,
  message: `The site is running, but ${address} ${reason}, so the problems that the site itself reports aren't listed here. Run "limelight doctor" with the HOST, PORT and DOMAIN that the service uses.`,
});

const attentionSchema = v.object({
  failing: v.optional(v.array(v.object({ message: v.string() })), []),
});

/** Returns the problems that a running site reports at `ATTENTION_PATH`; none if the site is stopped. */
async function readRunningSiteFindings(data: Engine, config: Config): Promise<Finding[]> {
  if ((await data.findLockHolders()).length === 0) return [];
  const port = config.domain ? config.httpPort : config.port;
  const address = `http://${findReachableHost(config)}:${port}${ATTENTION_PATH}`;
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(10 * SECOND) });
    if (!isFromSite(response, await data.readSiteId()))
      return [createNotListedNote(address, "belongs to another site")];
    const { failing } = v.parse(attentionSchema, await response.json());
    if (!response.ok && failing.length === 0)
      return [createProblem(`The running site reports a problem at ${address}. Check its log.`)];
    return failing.map(({ message }) => createProblem(message));
  } catch {
    return [createNotListedNote(address, "doesn't respond")];
  }
}

const getFindingRank = ({ ok, blocksStart = false }: Finding) => (blocksStart ? 0 : ok ? 2 : 1);

function printFindings(findings: readonly Finding[], problemCount: number): void {
  const shown = findings.filter(({ ok, isNote }) => !ok || isNote);
  const sorted = shown.toSorted((a, b) => getFindingRank(a) - getFindingRank(b));
  for (const { ok, blocksStart, message } of sorted)
    printLine(`${ok ? "ok      " : blocksStart ? "REFUSED " : "PROBLEM "} ${message}`);
  const passedCount = findings.length - shown.length;
  if (passedCount > 0) printLine(`ok       everything else (${passedCount} checks)`);
  printLine(
    problemCount === 0
      ? "No problems found."
      : `${problemCount} ${problemCount === 1 ? "problem" : "problems"} found.`,
  );
  if (findings.some(({ blocksStart }) => blocksStart))
    printLine("The site can't start until this is fixed.");
}
