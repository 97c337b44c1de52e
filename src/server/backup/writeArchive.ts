/** Writes a site as one checked .tar.gz, also while it is running. */
import type { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";
import type { Collection } from "../../schema/entity.ts";
import { allEntities, type Content, entities } from "../../schema/index.ts";
import type { Engine } from "../storage/engine.ts";
import type { LeftOut } from "../storage/store.ts";
import { type ArchivedFile, type ArchiveManifest, MANIFEST_NAME, sha256 } from "./archive.ts";
import { Moved, picturesIn } from "./archivedPictures.ts";

/** What is archived: what an engine keeps, and the folder of the pictures. */
export interface ArchivedSite {
  readonly data: Engine;
  readonly uploads: string;
}

/**
 * Streams the archive of a site as it is at one moment: its documents as they are together, then the
 * pictures that these list, whatever has become of them since. Fails with `Moved` when one is gone, or
 * when what records belong to was deleted while they were read.
 */
export function archiveStream(
  site: ArchivedSite,
  now: Date = new Date(),
  leftOut?: LeftOut,
): Readable {
  const tar = pack();
  // The reader gets the error from the returned stream. Without this listener it would end the program.
  tar.on("error", () => {});
  const gzip = tar.pipe(createGzip({ level: 1 }));
  fill(tar, site, now, leftOut).catch((error: Error) => {
    tar.destroy(error);
    gzip.destroy(error);
  });
  return gzip;
}

async function fill(
  tar: Pack,
  { data, uploads }: ArchivedSite,
  now: Date,
  leftOut: LeftOut = () => {},
): Promise<void> {
  const files: ArchivedFile[] = [];
  let listed: Content<"uploads"> | undefined;
  const parents = await parentsIn(data);
  const archive = async (path: string, bytes: Uint8Array) => {
    await add(tar, path, bytes, now);
    files.push({ path, size: bytes.length, sha256: sha256(bytes) });
  };
  for await (const file of data.files((path, why) => leftOut(`data/${path}`, why))) {
    listed ??= data.documentIn(file, entities.uploads);
    for (const { entity, ids } of parents) {
      const now = data.documentIn(file, entity)?.map(({ id }) => id);
      if (now && !ids.every((id) => now.includes(id))) throw new Moved();
    }
    await archive(`data/${file.path}`, file.bytes);
  }
  const pictures = picturesIn(uploads, listed ?? [], {
    stillListed: async () => (await data.peek(entities.uploads)) ?? [],
    leftOut: (path, why) => leftOut(`uploads/${path}`, why),
  });
  for await (const { path, bytes } of pictures) await archive(`uploads/${path}`, bytes);
  const manifest: ArchiveManifest = { format: 1, createdAt: now.toISOString(), files };
  await add(tar, MANIFEST_NAME, Buffer.from(JSON.stringify(manifest)), now);
  tar.finalize();
}

/**
 * The items that records belong to. Records are read before them, so one that was deleted in between would
 * leave records that nobody can see or erase.
 */
async function parentsIn(data: Engine) {
  const keys = new Set(
    allEntities.flatMap((entity) =>
      entity.shape === "records" ? (entity.parent?.entity ?? []) : [],
    ),
  );
  const collections = allEntities.filter(
    (entity): entity is Collection => entity.shape === "collection" && keys.has(entity.key),
  );
  return Promise.all(
    collections.map(async (entity) => {
      const items: readonly { id: string }[] = (await data.peek(entity)) ?? [];
      return { entity, ids: items.map(({ id }) => id) };
    }),
  );
}

type Pack = ReturnType<typeof pack>;

function add(tar: Pack, name: string, bytes: Uint8Array, mtime: Date): Promise<void> {
  return new Promise((resolve, reject) => {
    const header = { name, size: bytes.length, mode: 0o600, mtime };
    const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const entry = tar.entry(header, body, (error) => (error ? reject(error) : resolve()));
    // As above, when the reader goes away in the middle of a file.
    entry.on("error", reject);
  });
}
