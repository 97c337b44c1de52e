/** Figures and their output: each is a row of the table that run.ts prints. */
import { readdir } from "node:fs/promises";

export function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}

/** Resident memory of a process in MB as Linux counts it, and its part without a file behind it. */
export async function memoryOf(pid: number): Promise<{ resident: number; anonymous: number }> {
  const status = await Bun.file(`/proc/${pid}/status`).text();
  const kilobytes = (name: string) =>
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0);
  return { resident: kilobytes("VmRSS") / 1024, anonymous: kilobytes("RssAnon") / 1024 };
}

const TICKS_A_SECOND = 100;

/** User and system time of a process so far, in microseconds. */
export async function cpuOf(pid: number): Promise<number> {
  const stat = await Bun.file(`/proc/${pid}/stat`).text();
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND) * 1e6;
}

/** User and system time of these processes so far, in microseconds; ended ones count as nothing. */
export async function cpuOfAll(pids: readonly number[]): Promise<number> {
  const figures = await Promise.all(pids.map((pid) => cpuOf(pid).catch(() => 0)));
  return figures.reduce((total, figure) => total + figure, 0);
}

/** Finds the process of the PostgreSQL that listens on this port, and its children. */
export async function processesOf({ port }: { readonly port: number }): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const processes = await Promise.all(
    pids.map(async (pid) => {
      const text = (name: string) => Bun.file(`/proc/${pid}/${name}`).text();
      const stat = await text("stat").catch(() => "");
      const line = await text("cmdline").catch(() => "");
      const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
      return { pid, parent, isMain: line.includes("postgres") && line.includes(`\0${port}\0`) };
    }),
  );
  const main = processes.find(({ isMain }) => isMain)?.pid;
  return processes
    .filter(({ pid, parent }) => pid === main || parent === main)
    .map(({ pid }) => pid);
}

/** Durations of consecutive calls, in milliseconds. */
export async function timesOf(call: () => Promise<unknown>, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < count; at++) times.push(await timeOf(call));
  return times;
}

/** The duration of a call, in milliseconds. */
export async function timeOf(call: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await call();
  return performance.now() - start;
}

/** A row of the table; missing values are omitted. */
export interface Row {
  readonly what: string;
  /** The median with its unit. */
  readonly median: string;
  /** The smallest and the largest. */
  readonly spread?: string;
  /** Compared with another program that was measured in turns. */
  readonly ratio?: string;
  readonly goal?: string;
}

/** The environment variable that makes a part print its rows for run.ts, each as a line of JSON. */
export const AS_ROWS = "BENCH_ROWS";

/** Prints a row of the table. */
export function tell(row: Row): void {
  if (process.env[AS_ROWS]) return console.log(JSON.stringify(row));
  const { what, median, spread = "", ratio = "", goal = "-" } = row;
  const figure = [median, spread && `(${spread})`, ratio].filter(Boolean).join(" ");
  console.log(`${what.padEnd(44)} ${figure.padEnd(44)} goal ${goal}`);
}

/** Prints a formatted figure, and its goal. */
export function say(label: string, figure: string, goal = "-"): void {
  tell({ what: label, median: figure, goal });
}

/** The median and the spread of figures, for a row. */
export function middleOf(figures: readonly number[], unit: string, digits = 0) {
  const rounded = (figure: number) => figure.toFixed(digits);
  return {
    median: `${rounded(median(figures))} ${unit}`,
    spread: `${rounded(Math.min(...figures))}–${rounded(Math.max(...figures))}`,
  };
}
