/**
 * The program's file and what an upgrade puts beside it. The program's name always refers to a complete file, the old
 * or the new one, even if the power fails.
 */
import { chmod, copyFile, readdir, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { cannotOpen } from "../../shared/errors.ts";
import { isTemporary, syncPath, orUndefinedIfMissing } from "../../storage/disk/disk.ts";
import { disk, linkOrCopyAs } from "../../storage/disk/realDisk.ts";
import { hashFile, type PublicKey, verifySignature } from "./minisign.ts";

/** A program, by the path of its file. */
export class ProgramFiles {
  /** The new program, before it is put in place. */
  readonly nextPath: string;
  /** The program that was replaced last. */
  readonly previousPath: string;

  constructor(readonly path: string) {
    this.nextPath = `${path}.next`;
    this.previousPath = `${path}.previous`;
  }

  /**
   * Copies a file to `nextPath` and verifies the copy's signature: what is verified is what will run, even if the file
   * changes later. Returns the trusted comment. Throws `cannot_open`.
   */
  async stageSigned(file: string, key: PublicKey): Promise<string> {
    const signature = await orUndefinedIfMissing(readFile(`${file}.minisig`, "utf8"));
    if (signature === undefined)
      throw cannotOpen(
        `The signature ${basename(file)}.minisig beside ${file} is missing. Download it too.`,
      );
    await copyFile(file, this.nextPath);
    await chmod(this.nextPath, 0o755);
    await syncPath(disk, this.nextPath);
    return verifySignature(signature, await hashFile(this.nextPath), key);
  }

  /** Throws `cannot_open` without a previous program. */
  async requirePrevious(): Promise<void> {
    if (!(await Bun.file(this.previousPath).exists()))
      throw cannotOpen(`There is no previous program: ${this.previousPath} doesn't exist.`);
  }

  /** Removes `nextPath`, and what a killed upgrade left. */
  async removeStaged(): Promise<void> {
    const folder = dirname(this.path);
    const left = (await readdir(folder)).filter(
      (name) => isTemporary(name) && name.startsWith(`${basename(this.path)}.`),
    );
    for (const path of [...left.map((name) => join(folder, name)), this.nextPath])
      await rm(path, { force: true });
  }

  /** Keeps the current program as `previousPath`, and puts `nextPath` in its place. */
  async swapIn(): Promise<void> {
    await linkOrCopyAs(this.path, this.previousPath);
    await chmod(this.previousPath, 0o755);
    await syncPath(disk, dirname(this.path));
    try {
      await rename(this.nextPath, this.path);
      await syncPath(disk, dirname(this.path));
    } catch (error) {
      await this.swapBack();
      throw error;
    }
  }

  /** Exchanges the current program and the previous one, which keeps its name until it is in place too. */
  async exchange(): Promise<void> {
    await linkOrCopyAs(this.path, this.nextPath);
    try {
      await this.swapBack();
      await rename(this.nextPath, this.previousPath);
      await syncPath(disk, dirname(this.path));
    } catch (error) {
      await linkOrCopyAs(this.nextPath, this.path);
      throw error;
    }
  }

  /** Puts the previous program back in place. */
  async swapBack(): Promise<void> {
    await linkOrCopyAs(this.previousPath, this.path);
    await chmod(this.path, 0o755);
    await syncPath(disk, dirname(this.path));
  }
}

/**
 * The running program, also when it is `.previous`, which can roll back too. Throws `cannot_open` when it
 * runs from source.
 */
export function findProgramFiles(): ProgramFiles {
  // Bun's path for the files of a compiled program.
  if (!Bun.main.startsWith("/$bunfs/"))
    throw cannotOpen("Only the built program can be upgraded. From source, build it again.");
  return new ProgramFiles(process.execPath.replace(/\.previous$/, ""));
}
