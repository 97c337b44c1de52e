/** The files of documents in a data folder, for who has not opened a store. Loads nothing, for the start's sake. */
import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";

/**
 * By what stored documents are known again: where each file lies on the disk, when it was written, and the
 * revision and checksum at its beginning. Lines beside them (lineLog.ts) aren't looked at, so this is not for lists
 * whose items are `put`.
 */
export interface DocumentsMark {
  /** Another as soon as one of the files is another, or was written anew. */
  readonly mark: string;
  /** By entity, as stored; 0 where nothing was stored yet. */
  readonly revisions: ReadonlyMap<string, number>;
}

/** There while a backup is put back: every start is refused. */
export const RESTORING = "restore.started";

/** The file of a document in its data folder. */
export const documentFile = (name: string): string => `${name}.json`;

/** Undefined while a restore is under way, and where a file can't be read or is of a release before checksums. */
export function markOfDocuments(
  directory: string,
  names: readonly string[],
): DocumentsMark | undefined {
  if (existsSync(join(directory, RESTORING))) return undefined;
  const revisions = new Map<string, number>();
  const marks: string[] = [];
  for (const name of names) {
    const seen = look(join(directory, documentFile(name)));
    if (!seen) return undefined;
    revisions.set(name, seen.revision);
    marks.push(`${name} ${seen.mark}`);
  }
  return { mark: marks.join("\n"), revisions };
}

/** What is before the value: names, dates, revision, checksum. */
const HEAD = 1024;
const REVISION = /"revision":(?<revision>\d+),/;
const CHECKSUM = /"checksum":"(?<checksum>[0-9a-f]{64})"/;

function look(path: string): { mark: string; revision: number } | undefined {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    return (error as { code?: unknown }).code === "ENOENT"
      ? { mark: "none", revision: 0 }
      : undefined;
  }
  try {
    const { ino, size, mtimeNs } = fstatSync(file, { bigint: true });
    const head = Buffer.alloc(HEAD);
    const text = head.toString("latin1", 0, readSync(file, head, 0, HEAD, 0));
    const revision = REVISION.exec(text)?.groups?.["revision"];
    const checksum = CHECKSUM.exec(text)?.groups?.["checksum"];
    if (revision === undefined || checksum === undefined) return undefined;
    return { mark: `${ino} ${size} ${mtimeNs} ${checksum}`, revision: Number(revision) };
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}
