/**
 * The program's file and what an upgrade puts beside it. The program's name always refers to a complete file, the old
 * or the new one, even if the power fails.
 */
import { chmod, open, readdir, readFile, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import * as v from "valibot";
import { cannotOpen } from "../../shared/errors.ts";
import {
  undefinedIfMissing,
  isTemporary,
  linkOrCopyAs,
  syncPath,
  writeDurably,
} from "../../storage/disk/disk.ts";
import { disk } from "../../storage/disk/realDisk.ts";
import { hashOf, type PublicKey, type TrustedComment, verifySignature } from "./minisign.ts";
import { errorCode } from "../../shared/errorDetails.ts";

const noteSchema = v.object({
  /** The versions of the old program and of its replacement. */
  from: v.string(),
  to: v.string(),
  /** A backup of the site before the upgrade. */
  backup: v.string(),
  /** The process that had the data open: while it has, the new program wasn't started yet. */
  process: v.optional(v.number()),
});

/** Exists from before the new program is in place until it is known to be well. */
export type UpgradeState = v.InferOutput<typeof noteSchema>;

/** A program, by the path of its file. */
export class ProgramFiles {
  readonly path: string;
  /** The new program, before it is put in place. */
  readonly next: string;
  /** The program that was replaced last. */
  readonly previous: string;
  readonly #note: string;

  constructor(path: string) {
    this.path = path;
    this.next = `${path}.next`;
    this.previous = `${path}.previous`;
    this.#note = `${path}.upgrade.json`;
  }

  /**
   * Copies a file to `next` and verifies the copy's signature: what is verified is what will run, even if the file
   * changes later. Throws `cannot_open`.
   */
  async copySigned(file: string, key: PublicKey): Promise<TrustedComment> {
    if ((await realpath(file)) === (await realpath(this.path)))
      throw cannotOpen(`${file} is the program itself. Name the file of the newer one.`);
    const signature = await undefinedIfMissing(readFile(`${file}.minisig`, "utf8"));
    if (signature === undefined)
      throw cannotOpen(
        `The signature ${basename(file)}.minisig beside ${file} is missing. Download it too.`,
      );
    return verifySignature(signature, await this.#copy(file), key);
  }

  async #copy(file: string): Promise<Uint8Array> {
    const copy = await open(this.next, "wx", 0o600);
    try {
      const hash = await hashOf(file, (chunk) => copy.writeFile(chunk));
      await copy.sync();
      return hash;
    } finally {
      await copy.close();
    }
  }

  /** Removes what an interrupted upgrade left; the note and the previous program are kept. */
  async removeLeftovers(): Promise<void> {
    const folder = dirname(this.path);
    const names = (await readdir(folder)).filter(
      (name) => isTemporary(name) && name.startsWith(`${basename(this.path)}.`),
    );
    for (const path of [...names.map((name) => join(folder, name)), this.next])
      await rm(path, { force: true });
  }

  /** Makes the previous program the next one. Throws `cannot_open`. */
  async stagePrevious(): Promise<void> {
    if (!(await Bun.file(this.previous).exists()))
      throw cannotOpen(`There is no previous program: ${this.previous} doesn't exist.`);
    await linkOrCopyAs(disk, this.previous, this.next);
  }

  makeExecutable(): Promise<void> {
    return chmod(this.next, 0o755);
  }

  /** Writes the note, keeps the current program as `previous`, and puts `next` in its place. */
  async swap(note: UpgradeState): Promise<void> {
    await linkOrCopyAs(disk, this.path, this.previous);
    await chmod(this.previous, 0o755);
    await syncPath(disk, dirname(this.path));
    await writeDurably(disk, this.#note, Buffer.from(JSON.stringify(note)));
    await rename(this.next, this.path);
    await syncPath(disk, dirname(this.path));
  }

  /** After a failed `swap`, leaves the original program in place. */
  async abandonSwap(): Promise<void> {
    // If `next` is gone, the rename happened but the disk didn't confirm it.
    if (!(await Bun.file(this.next).exists())) await this.rollBack();
    await this.removeNote();
  }

  /** Puts the previous program back in place; can be repeated. */
  async rollBack(): Promise<void> {
    await linkOrCopyAs(disk, this.previous, this.path);
    await chmod(this.path, 0o755);
    await syncPath(disk, dirname(this.path));
  }

  /** The note of an unfinished change; undefined when there is none. */
  async note(): Promise<UpgradeState | undefined> {
    const text = await undefinedIfMissing(readFile(this.#note, "utf8"));
    return text === undefined ? undefined : v.parse(noteSchema, JSON.parse(text));
  }

  /** Ends the change. */
  async removeNote(): Promise<void> {
    await this.removeLeftovers();
    await rm(this.#note, { force: true });
    await syncPath(disk, dirname(this.path));
  }
}

/** The running program. Throws `cannot_open` when it runs from source. */
export function thisProgram(): ProgramFiles {
  // Bun's path for the files of a compiled program.
  if (!Bun.main.startsWith("/$bunfs/"))
    throw cannotOpen("Only the built program can be upgraded. From source, build it again.");
  return new ProgramFiles(process.execPath.replace(/\.previous$/, ""));
}

/** The message for a disk error in a step before anything was changed. */
export function diskRefusal(what: string, error: unknown): Error {
  const why = {
    ENOSPC: "the disk is full",
    EACCES: "permission denied",
    EPERM: "permission denied",
    EROFS: "it can't be written to",
    ENOENT: "it doesn't exist",
    EISDIR: "it is a folder",
  }[errorCode(error) ?? ""];
  if (!why) return error as Error;
  return cannotOpen(`${what}: ${why}. Nothing was changed.`, error);
}
