/** Reads and verifies an archive: a .tar.gz of `data/…`, `uploads/…` and a list of files, perhaps encrypted. */
import { createReadStream } from "node:fs";
import { mkdir, open, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";
import * as v from "valibot";
import { cannotOpen, isRefusal, Refusal } from "../shared/errors.ts";
import { hasMarker, isArchivableName, MAX_FILE_BYTES } from "../storage/archiveEntries.ts";
import { createFile } from "../storage/disk/disk.ts";
import { disk } from "../storage/disk/realDisk.ts";
import { loadAge, openFileStream } from "./encryption.ts";
import { getErrorCode, isSystemError } from "../shared/errorDetails.ts";

/** The list of files at the end of an archive. An archive without this list is incomplete. */
const manifestSchema = v.object({
  format: v.literal(1),
  createdAt: v.pipe(v.string(), v.isoTimestamp()),
  files: v.array(
    v.object({
      /** The file's path in the archive, such as `data/…` or `uploads/…`. */
      path: v.string(),
      /** In bytes. */
      size: v.number(),
      sha256: v.string(),
    }),
  ),
});

export type ArchiveManifest = v.InferOutput<typeof manifestSchema>;

export type ManifestEntry = ArchiveManifest["files"][number];

/** The name of the archive's last entry. */
export const MANIFEST_NAME = "manifest.json";

export const createManifestEntry = (path: string, bytes: Uint8Array): ManifestEntry => ({
  path,
  size: bytes.length,
  sha256: computeSha256Hex(bytes),
});

export function computeSha256Hex(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}

interface UnpackOptions {
  /** The secret keys that are tried if the archive is encrypted. */
  readonly secretKeys?: readonly string[] | undefined;
  /** The folder for the archive's `uploads`. Default: a folder in the target folder. */
  readonly uploads?: string;
  /** False for temporary files, which may be lost in a power failure. Default: true. */
  readonly isDurable?: boolean;
}

/** Unpacks an archive. Throws `cannot_open` unless every byte is correct. */
export function unpackArchive(
  archive: string,
  folder: string,
  { secretKeys, uploads = join(folder, "uploads"), isDurable = true }: UnpackOptions = {},
): Promise<ArchiveManifest> {
  const writeEntry = async (name: string, bytes: Buffer) => {
    const [top, ...content] = name.split("/");
    const path = top === "uploads" ? join(uploads, ...content) : join(folder, name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    if (isDurable) await createFile(disk, path, bytes);
    else await writeFile(path, bytes, { mode: 0o600, flag: "wx" });
  };
  return readArchive(archive, writeEntry, secretKeys).catch(rethrowAsRefusal);
}

function rethrowAsRefusal(error: unknown): never {
  throw isRefusal(error, "cannot_open") ? error : toUnreadableRefusal(error);
}

type OnEntry = (path: string, bytes: Buffer) => void | Promise<void>;

/**
 * Passes each file to `onEntry`, first `data/…`, then `uploads/…`. The files count as verified only when this function
 * resolves. Throws a `Refusal` of `onEntry` unchanged, and `cannot_open` if anything else fails.
 */
export async function readArchive(
  archive: string,
  onEntry: OnEntry,
  secretKeys?: readonly string[],
): Promise<ArchiveManifest> {
  const bytes = await openArchive(archive, secretKeys).catch(rethrowAsRefusal);
  const tar = extract();
  // Waits for both promises even if one fails. The caller then removes the files, so no file may be written later.
  const [entriesResult, pipelineResult] = await Promise.allSettled([
    readEntries(tar, onEntry),
    pipeline(bytes, createGunzip(), tar),
  ]);
  const errors = [entriesResult, pipelineResult].flatMap((each) =>
    each.status === "rejected" ? each.reason : [],
  );
  const refusal = errors.find((error) => error instanceof Refusal);
  if (refusal) throw refusal;
  if (entriesResult.status === "rejected" || errors.length > 0)
    throw toUnreadableRefusal(errors[0]);
  const manifestOrProblem = verifyManifest(entriesResult.value.manifest, entriesResult.value.files);
  if (typeof manifestOrProblem === "string") throw createBrokenArchiveRefusal(manifestOrProblem);
  return manifestOrProblem;
}

async function readEntries(tar: ReturnType<typeof extract>, onEntry: OnEntry) {
  const files: ManifestEntry[] = [];
  let manifest: unknown;
  for await (const entry of tar) {
    const { name, type, size = 0 } = entry.header;
    if (manifest || type !== "file" || size > MAX_FILE_BYTES) throw createForeignArchiveRefusal();
    const bytes = Buffer.concat(await Array.fromAsync(entry as AsyncIterable<Buffer>));
    if (name === MANIFEST_NAME) {
      manifest = JSON.parse(bytes.toString());
      continue;
    }
    if (!isArchivable(name)) throw createForeignArchiveRefusal();
    await onEntry(name, bytes);
    files.push(createManifestEntry(name, bytes));
  }
  return { manifest, files };
}

function isArchivable(path: string): boolean {
  const [folder, ...content] = path.split("/");
  return (
    (folder === "data" || folder === "uploads") &&
    content.length > 0 &&
    content.every(isArchivableName)
  );
}

/** Returns the manifest if it matches the files exactly and the files contain a site; else a text about the problem. */
function verifyManifest(
  manifest: unknown,
  files: readonly ManifestEntry[],
): ArchiveManifest | string {
  if (!v.is(manifestSchema, manifest)) return "its list of files is missing or invalid";
  const unread = new Map(manifest.files.map((file) => [file.path, file]));
  for (const file of files) {
    if (unread.get(file.path)?.sha256 !== file.sha256)
      return `${file.path} differs from what was saved`;
    unread.delete(file.path);
  }
  if (unread.size > 0) return `${unread.size} of its files are missing`;
  const names = files.flatMap(({ path }) => /^data\/(.*)$/.exec(path)?.[1] ?? []);
  return hasMarker(names) ? manifest : "it contains no site";
}

/** Opens an archive as a stream, decrypted if necessary. Throws `cannot_open` without the right secret key. */
async function openArchive(file: string, secretKeys: readonly string[] = []): Promise<Readable> {
  if (!(await isEncrypted(file))) return createReadStream(file);
  if (secretKeys.length === 0)
    throw cannotOpen(
      `${file} is encrypted. To restore it, pass the key file: limelight restore ${file} --key key.txt`,
    );
  const { Decrypter } = await loadAge();
  const decrypter = new Decrypter();
  for (const each of secretKeys) decrypter.addIdentity(each);
  try {
    // Node's type of the stream class differs from the global type, but the class is the same.
    return Readable.fromWeb((await decrypter.decrypt(openFileStream(file))) as never);
  } catch (error) {
    throw cannotOpen(
      `${file} can't be decrypted with this key. Use the secret key that belongs to its public key.`,
      error,
    );
  }
}

/** Every encrypted archive begins with this text. */
const AGE_HEADER = "age-encryption.org/v1";

async function isEncrypted(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(AGE_HEADER.length));
    return buffer.toString("latin1", 0, bytesRead) === AGE_HEADER;
  } finally {
    await handle.close();
  }
}

export const createFullDiskRefusal = (cause: unknown) =>
  cannotOpen("The disk is full. Nothing was changed. Free up space first.", cause);

const createBrokenArchiveRefusal = (problem: string, cause?: unknown) =>
  cannotOpen(
    `This archive can't be restored: ${problem}. Nothing was changed. Use another archive.`,
    cause,
  );
const createForeignArchiveRefusal = () =>
  cannotOpen(
    "This isn't an archive made by limelight backup. Nothing was changed. Use another archive.",
  );

function toUnreadableRefusal(error: unknown): Refusal {
  const code = getErrorCode(error);
  if (code === "ENOENT") return cannotOpen("This archive doesn't exist. Check the file name.");
  if (code === "ENOSPC") return createFullDiskRefusal(error);
  if (isSystemError(error) || code === "EISDIR") {
    // `path` is the path of an unpacked file or of the archive.
    const { path }: { path?: unknown } = Object(error);
    const file = typeof path === "string" ? path : "This archive";
    return cannotOpen(
      `${file} can't be read or written (${code}). Nothing was changed. Check its permissions and the disk.`,
      error,
    );
  }
  return createBrokenArchiveRefusal("it is truncated or damaged", error);
}
