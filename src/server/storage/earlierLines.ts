/**
 * Leftovers of an earlier release after a kill: lines in a log beside a file, and in its copy, with what was added to
 * the list since the file was written. They are read once, and no longer written.
 */
import { type Found, openSealed } from "./envelope.ts";
import { withDifference } from "./itemsOfDocument.ts";

const NEWLINE = 0x0a;

/** The content of a log. A line cut short at its end was never acknowledged, and isn't damage. */
function read(log: Uint8Array): { readonly lines: readonly Found[]; readonly isDamaged: boolean } {
  const lines: Found[] = [];
  let isDamaged = false;
  let from = 0;
  for (let end = log.indexOf(NEWLINE); end !== -1; end = log.indexOf(NEWLINE, from)) {
    const line = sealed(log.subarray(from, end));
    if (line) lines.push(line);
    else isDamaged = true;
    from = end + 1;
  }
  const last = sealed(log.subarray(from, -1));
  return { lines: last ? [...lines, last] : lines, isDamaged: isDamaged || last !== undefined };
}

function sealed(line: Uint8Array): Found | undefined {
  const found = openSealed(line);
  return found?.checksum === undefined ? undefined : found;
}

/** The lines that follow this state of a file, each once, in order. */
function linesAfter(file: Omit<Found, "value">, logs: readonly Uint8Array[]): Found[] {
  const { entity, place = entity, revision, savedAt } = file;
  const after = `${place} after ${revision}, ${savedAt}`;
  const lines = new Map<number, Found>();
  for (const line of logs.flatMap((log) => read(log).lines))
    if (line.place === after && line.revision > revision) lines.set(line.revision, line);
  return [...lines.values()].toSorted((one, other) => one.revision - other.revision);
}

/** Whether a log holds anything but whole lines. */
export const isDamagedLog = (log: Uint8Array): boolean => read(log).isDamaged;

/** A list with its lines' items, and the resulting revision; undefined without lines. */
export function withLines<F extends Omit<Found, "place">>(
  file: F,
  place: string,
  logs: readonly Uint8Array[],
): Pick<F, "revision" | "savedAt" | "value"> | undefined {
  if (!Array.isArray(file.value) || logs.length === 0) return undefined;
  const last = linesAfter({ ...file, place }, logs);
  const { revision, savedAt } = last.at(-1) ?? {};
  if (revision === undefined || savedAt === undefined) return undefined;
  const put = last.map(({ value }) => value as { id: string });
  return { revision, savedAt, value: withDifference(file.value, { put }) };
}
