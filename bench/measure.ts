/** Figures and their output: each is a row of the table that run.ts prints. */
import { mkdtemp, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const createTemporaryFolder = () => mkdtemp(join(tmpdir(), "limelight-bench-"));

export function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}

/** Returns the resident memory of a process in MB, and the part of it that isn't backed by a file. */
export async function readMemory(pid: number): Promise<{ resident: number; anonymous: number }> {
  const status = await Bun.file(`/proc/${pid}/status`).text();
  const readKilobytes = (name: string) =>
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0);
  return { resident: readKilobytes("VmRSS") / 1024, anonymous: readKilobytes("RssAnon") / 1024 };
}

const TICKS_PER_SECOND = 100;

/** Returns the user and system time of a process so far, in microseconds. */
export async function readCpuTime(pid: number): Promise<number> {
  const stat = await Bun.file(`/proc/${pid}/stat`).text();
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1e6;
}

/**
 * Returns the user and system time of these processes so far, in microseconds. Processes that have ended count as 0.
 */
export async function readTotalCpuTime(pids: readonly number[]): Promise<number> {
  const figures = await Promise.all(pids.map((pid) => readCpuTime(pid).catch(() => 0)));
  return figures.reduce((total, figure) => total + figure, 0);
}

/** Finds the process of the PostgreSQL that listens on this port, and its children. */
export async function findPostgresProcesses({
  port,
}: {
  readonly port: number;
}): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const processes = await Promise.all(
    pids.map(async (pid) => {
      const readText = (name: string) => Bun.file(`/proc/${pid}/${name}`).text();
      const stat = await readText("stat").catch(() => "");
      const line = await readText("cmdline").catch(() => "");
      const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
      return { pid, parent, isMain: line.includes("postgres") && line.includes(`\0${port}\0`) };
    }),
  );
  const main = processes.find(({ isMain }) => isMain)?.pid;
  return processes
    .filter(({ pid, parent }) => pid === main || parent === main)
    .map(({ pid }) => pid);
}

/** Returns the durations of consecutive calls, in milliseconds. */
export async function measureTimes(call: () => Promise<unknown>, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) times.push(await measureTime(call));
  return times;
}

/** Returns the duration of a call, in milliseconds. */
export async function measureTime(call: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await call();
  return performance.now() - start;
}

/**
 * Measures each subject once a round, in alternating order, so that other load affects all alike. The first round is a
 * warm-up. Returns each subject's figures.
 */
export async function measureInTurns<S, F>(
  subjects: readonly S[],
  rounds: number,
  measure: (subject: S) => Promise<F>,
): Promise<F[][]> {
  const measured = subjects.map((subject) => ({ subject, figures: [] as F[] }));
  for (let round = -1; round < rounds; round++)
    for (const { subject, figures } of round % 2 === 0 ? measured : measured.toReversed()) {
      const figure = await measure(subject);
      if (round >= 0) figures.push(figure);
    }
  return measured.map(({ figures }) => figures);
}

/** Measures repeatedly, with short breaks, until the work is done. */
export async function measureDuring(
  measure: () => Promise<number>,
  work: Promise<unknown>,
): Promise<number[]> {
  const figures: number[] = [];
  const end = new AbortController();
  const completion = work.finally(() => end.abort());
  while (!end.signal.aborted) {
    figures.push(await measure());
    await Bun.sleep(5);
  }
  await completion;
  return figures;
}

/** A row of the table; missing values are omitted. */
export interface Row {
  readonly what: string;
  /** The median with its unit. */
  readonly median: string;
  /** The smallest and the largest figure. */
  readonly spread?: string;
  /** The comparison with another program that was measured in turns. */
  readonly ratio?: string;
  readonly goal?: string;
}

/** The environment variable that makes a part print its rows for run.ts, each as a line of JSON. */
export const ROWS_VARIABLE = "BENCH_ROWS";

export function printRow(row: Row): void {
  if (process.env[ROWS_VARIABLE]) return console.log(JSON.stringify(row));
  const { what, median, spread = "", ratio = "", goal = "-" } = row;
  const figure = [median, spread && `(${spread})`, ratio].filter(Boolean).join(" ");
  console.log(`${what.padEnd(44)} ${figure.padEnd(44)} goal ${goal}`);
}

export function printFigure(label: string, figure: string, goal = "-"): void {
  printRow({ what: label, median: figure, goal });
}

/** Returns the median and the spread of figures, for a row. */
export function summarizeFigures(figures: readonly number[], unit: string, digits = 0) {
  const formatFigure = (figure: number) => figure.toFixed(digits);
  return {
    median: `${formatFigure(median(figures))} ${unit}`,
    spread: `${formatFigure(Math.min(...figures))}–${formatFigure(Math.max(...figures))}`,
  };
}
