/**
 * The program's file and what an upgrade puts beside it. At every moment the program's name is one
 * whole file, the old one or the new one, also when the power fails.
 */
import { chmod, open, readdir, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import * as v from "valibot";
import { cannotOpen } from "../../shared/errors.ts";
import {
  codeOf,
  ifThere,
  isTemporary,
  keepAs,
  syncPath,
  writeDurably,
} from "../../storage/disk/disk.ts";
import { disk } from "../../storage/disk/realDisk.ts";
import { PROGRAMS } from "../install/places.ts";
import { linkSame } from "./samePrograms.ts";
import { hashOf, type PublicKey, type TrustedComment, verifySignature } from "./minisign.ts";

const noteSchema = v.object({
  /** Versions: of the program that was there, and of the one that takes its place. */
  from: v.string(),
  to: v.string(),
  /** The archive of the site as it was before. */
  backup: v.string(),
  /** The process that had the data open then: as long as it has, the new program is yet to be started. */
  process: v.optional(v.number()),
});

/** There from before the new program is in place until it is known to be well. */
export type Note = v.InferOutput<typeof noteSchema>;

/** A program by the path of its file. */
export class ProgramFiles {
  readonly path: string;
  /** The new program until it takes its place. */
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
   * Copies a file to `next`, and makes that executable once its signature is right: what is checked is
   * what will run, whatever happens to the file after that. Throws `cannot_open`.
   */
  async copySigned(file: string, key: PublicKey): Promise<TrustedComment> {
    if ((await realpath(file)) === (await realpath(this.path)))
      throw cannotOpen(`${file} is the program itself. Name the file of the newer one.`);
    const signature = await ifThere(readFile(`${file}.minisig`, "utf8"));
    if (signature === undefined)
      throw cannotOpen(
        `There is no signature ${basename(file)}.minisig beside ${file}. Download it too.`,
      );
    const comment = verifySignature(signature, await this.#copy(file), key);
    // Before it runs: what a process has open stays apart for as long as that runs.
    if (dirname(dirname(this.path)) === PROGRAMS)
      await linkSame(this.next, this.next, { not: this.path });
    return comment;
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

  /** Removes what a kill has left of an earlier upgrade; the note and the earlier program stay. */
  async removeLeftovers(): Promise<void> {
    const folder = dirname(this.path);
    const names = (await readdir(folder)).filter(
      (name) => isTemporary(name) && name.startsWith(`${basename(this.path)}.`),
    );
    for (const path of [...names.map((name) => join(folder, name)), this.next])
      await rm(path, { force: true });
  }

  /** Takes the program that was replaced last for the next one. Throws `cannot_open`. */
  async takePrevious(): Promise<void> {
    if (!(await Bun.file(this.previous).exists()))
      throw cannotOpen(`There is no earlier program: ${this.previous} is not there.`);
    await keepAs(disk, this.previous, this.next);
  }

  allowNextToRun(): Promise<void> {
    return chmod(this.next, 0o755);
  }

  /** Notes the change, keeps the present program as `previous`, and puts `next` in its place. */
  async swap(note: Note): Promise<void> {
    await keepAs(disk, this.path, this.previous);
    await chmod(this.previous, 0o755);
    await syncPath(disk, dirname(this.path));
    await writeDurably(disk, this.#note, Buffer.from(JSON.stringify(note)));
    await rename(this.next, this.path);
    await syncPath(disk, dirname(this.path));
  }

  /** After a `swap` that failed: the present program is there as it was, or is again. */
  async abandonSwap(): Promise<void> {
    // Gone from there, it has taken the program's place, and the disk did not confirm it.
    if (!(await Bun.file(this.next).exists())) await this.putBack();
    await this.removeNote();
  }

  /** Puts the program that was replaced back in its place; can be repeated. */
  async putBack(): Promise<void> {
    await keepAs(disk, this.previous, this.path);
    await chmod(this.path, 0o755);
    await syncPath(disk, dirname(this.path));
  }

  /** Whether the program that was replaced is in its place, as after `putBack`. */
  async isBack(): Promise<boolean> {
    const [present, previous] = await Promise.all([stat(this.path), stat(this.previous)]);
    return present.ino === previous.ino && present.dev === previous.dev;
  }

  /** What was noted by a change whose end isn't known; undefined when there is none. */
  async note(): Promise<Note | undefined> {
    const text = await ifThere(readFile(this.#note, "utf8"));
    return text === undefined ? undefined : v.parse(noteSchema, JSON.parse(text));
  }

  /** The change has come to its end. */
  async removeNote(): Promise<void> {
    await this.removeLeftovers();
    await rm(this.#note, { force: true });
    await syncPath(disk, dirname(this.path));
  }
}

/** The program that runs now. Throws `cannot_open` where it is no executable of its own. */
export function thisProgram(): ProgramFiles {
  // Bun keeps the files of a compiled program under this name.
  if (!Bun.main.startsWith("/$bunfs/"))
    throw cannotOpen("Only the built program can be upgraded. From source, build it again.");
  return new ProgramFiles(process.execPath.replace(/\.previous$/, ""));
}

/** The words for what the disk refused at a step before anything was changed. */
export function refusedByDisk(what: string, error: unknown): Error {
  const why = {
    ENOSPC: "the disk is full",
    EACCES: "this user may not write there",
    EPERM: "this user may not write there",
    EROFS: "it can't be written to",
    ENOENT: "it is not there",
    EISDIR: "it is a folder",
  }[codeOf(error) ?? ""];
  if (!why) return error as Error;
  return cannotOpen(`${what}: ${why}. Nothing was changed.`, error);
}
