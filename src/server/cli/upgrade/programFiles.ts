/**
 * The program's file, and the new and the previous program beside it. Even after a power failure, the program's path
 * holds a complete file.
 */
import { chmod, copyFile, readdir, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { cannotOpen } from "../../shared/errors.ts";
import { isTemporary, syncPath, ignoreMissing } from "../../storage/disk/disk.ts";
import { disk, replaceWithLinkOrCopy } from "../../storage/disk/realDisk.ts";
import { hashFile, type PublicKey, verifySignature } from "./minisign.ts";

export class ProgramFiles {
  /** The path of the new program before it is installed. */
  readonly stagedPath: string;
  /** The path of the program that the last upgrade replaced. */
  readonly previousPath: string;

  constructor(readonly path: string) {
    this.stagedPath = `${path}.next`;
    this.previousPath = `${path}.previous`;
  }

  /**
   * Copies a file to `stagedPath` and verifies the copy, so a later change of the file has no effect. Returns the
   * signature's trusted comment. Throws `cannot_open`.
   */
  async stageSignedProgram(file: string, key: PublicKey): Promise<string> {
    const signature = await ignoreMissing(readFile(`${file}.minisig`, "utf8"));
    if (signature === undefined)
      throw cannotOpen(
        `The signature ${basename(file)}.minisig beside ${file} is missing. Download it too.`,
      );
    await copyFile(file, this.stagedPath);
    await chmod(this.stagedPath, 0o755);
    await syncPath(disk, this.stagedPath);
    return verifySignature(signature, await hashFile(this.stagedPath), key);
  }

  /** Throws `cannot_open` if there is no previous program. */
  async assertPreviousExists(): Promise<void> {
    if (!(await Bun.file(this.previousPath).exists()))
      throw cannotOpen(
        `There is no previous program to return to: ${this.previousPath} doesn't exist.`,
      );
  }

  /** Removes `stagedPath`, and temporary files of an upgrade that was killed. */
  async removeStagedFiles(): Promise<void> {
    const folder = dirname(this.path);
    const leftoverNames = (await readdir(folder)).filter(
      (name) => isTemporary(name) && name.startsWith(`${basename(this.path)}.`),
    );
    for (const path of [...leftoverNames.map((name) => join(folder, name)), this.stagedPath])
      await rm(path, { force: true });
  }

  /** Copies the current program to `previousPath`, then moves the staged program to the current path. */
  async swapIn(): Promise<void> {
    await replaceWithLinkOrCopy(this.path, this.previousPath);
    await chmod(this.previousPath, 0o755);
    await syncPath(disk, dirname(this.path));
    try {
      await rename(this.stagedPath, this.path);
      await syncPath(disk, dirname(this.path));
    } catch (error) {
      await this.swapBack();
      throw error;
    }
  }

  /** Exchanges the current and the previous program. The file at `previousPath` is replaced last. */
  async exchange(): Promise<void> {
    await replaceWithLinkOrCopy(this.path, this.stagedPath);
    try {
      await this.swapBack();
      await rename(this.stagedPath, this.previousPath);
      await syncPath(disk, dirname(this.path));
    } catch (error) {
      await replaceWithLinkOrCopy(this.stagedPath, this.path);
      throw error;
    }
  }

  async swapBack(): Promise<void> {
    await replaceWithLinkOrCopy(this.previousPath, this.path);
    await chmod(this.path, 0o755);
    await syncPath(disk, dirname(this.path));
  }
}

/** Returns the running program's files, also if it runs as `.previous`. Throws `cannot_open` if run from source. */
export function findProgramFiles(): ProgramFiles {
  if (!Bun.isStandaloneExecutable)
    throw cannotOpen(
      "Only a built program can be upgraded. If you run Limelight from source, rebuild it.",
    );
  return new ProgramFiles(process.execPath.replace(/\.previous$/, ""));
}
