/** What figures are made of: the middle one of several, and the memory of a process. */

/** The middle one of some numbers. */
export function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}

/** Resident memory of a process in MB as Linux counts it, and the part of it that no file backs. */
export async function memoryOf(pid: number): Promise<{ resident: number; anonymous: number }> {
  const status = await Bun.file(`/proc/${pid}/status`).text();
  const kilobytes = (name: string) =>
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0);
  return { resident: kilobytes("VmRSS") / 1024, anonymous: kilobytes("RssAnon") / 1024 };
}

/** Times of a call in milliseconds, one after the other. */
export async function timesOf(call: () => Promise<unknown>, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < count; at++) times.push(await timeOf(call));
  return times;
}

/** How long a call takes, in milliseconds. */
export async function timeOf(call: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await call();
  return performance.now() - start;
}

/** Prints a figure, and what it should be. */
export function say(what: string, figure: string, goal = "-"): void {
  console.log(`${what.padEnd(36)} ${figure.padEnd(30)} goal ${goal}`);
}
