/**
 * Replaces a bucket's pictures by an archive's. A name always belongs to the same picture, so pictures that are also
 * in the archive stay in place; the others are moved away under a name before the slash.
 */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { forEachConcurrently } from "../../shared/forEachConcurrently.ts";
import type { Bucket } from "./bucket.ts";
import type { ReplaceableContents, LeftoverCopy } from "../engine.ts";

export function createBucketContents(bucket: Bucket, prefix: string): ReplaceableContents {
  const move = async (from: string, to: string) => {
    const bytes = await bucket.read(prefix + from);
    if (!bytes) return;
    await bucket.write(prefix + to, bytes);
    await bucket.remove(prefix + from);
  };
  return {
    // Only `moveIn` can determine which pictures to move away.
    async moveOut() {},
    async moveIn(folder, { before }) {
      const coming = await readdir(folder).catch(() => []);
      const isComing = new Set(coming);
      const present = (await bucket.list(prefix, true)).filter(({ name }) => !name.startsWith("."));
      const etags = new Map(present.map(({ name, etag }) => [name, etag]));
      await forEachConcurrently(
        present.filter(({ name }) => !isComing.has(name)),
        ({ name }) => move(name, `${before}/${name}`),
      );
      await forEachConcurrently(coming, async (name) => {
        const bytes = await readFile(join(folder, name));
        if (etags.get(name) === createHash("md5").update(bytes).digest("hex")) return;
        await bucket.write(prefix + name, bytes);
      });
    },
  };
}

const MOVED_ASIDE_PREFIX = ".before-restore-";

/** The pictures that restores moved away, by restore. */
export async function findLeftoverBucketCopies(
  bucket: Bucket,
  prefix: string,
): Promise<LeftoverCopy[]> {
  const sizes = new Map<string, number>();
  for (const { name, size } of await bucket.list(prefix + MOVED_ASIDE_PREFIX)) {
    const path = MOVED_ASIDE_PREFIX + name.replace(/\/.*$/s, "");
    sizes.set(path, (sizes.get(path) ?? 0) + size);
  }
  return [...sizes].map(([path, size]) => ({ path, size, by: "a restore" as const }));
}

/** Removes pictures that restores moved away; other files are never removed, even if named. */
export async function removeBucketCopies(
  bucket: Bucket,
  prefix: string,
  copies: readonly LeftoverCopy[],
): Promise<void> {
  for (const { path } of copies.filter((copy) => copy.path.startsWith(MOVED_ASIDE_PREFIX))) {
    const all = await bucket.list(`${prefix}${path}/`);
    await forEachConcurrently(all, ({ name }) => bucket.remove(`${prefix}${path}/${name}`));
  }
}
