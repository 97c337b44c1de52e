/** Restores one section or one picture of an archive into the running site. */
import type { Content } from "../../schema/index.ts";
import { conflict, notFound } from "../shared/errors.ts";
import type { Bin } from "../bin/bin.ts";
import { createVariantName, findOriginalName } from "../storage/pictures/pictureNames.ts";
import type { Store, Transaction } from "../storage/store.ts";
import {
  type ContentEntity,
  type ArchiveContent,
  findUploadUrls,
  RESTORABLE_SECTIONS,
} from "./readArchiveContent.ts";
import { readArchive } from "./unpackArchive.ts";

type Upload = Content<"uploads">[number];

export interface PartRestoreTarget {
  readonly store: Store;
  readonly bin: Bin;
  readonly library: {
    list(): readonly Upload[];
    restoreFromBin(upload: Upload, transaction: Transaction): Promise<Upload>;
    makeServable(upload: Upload): Promise<void>;
    importPictures(
      pictures: readonly Upload[],
      read: (accept: (name: string, bytes: Uint8Array) => Promise<void>) => Promise<void>,
    ): Promise<void>;
  };
  /** Stores all values or none. Leaves out people who were erased after the erasure `lastSeenErasureId`. */
  readonly putValues: (
    values: ReadonlyMap<ContentEntity, unknown>,
    lastSeenErasureId: ArchiveContent["lastSeenErasureId"],
  ) => Promise<ReplacedEntity[]>;
}

export interface OpenedArchive {
  readonly archive: string;
  readonly content: ArchiveContent;
}

/** An entity whose value was replaced. `revision` is the revision of the previous value. */
interface ReplacedEntity {
  /** The entity's name in the URL `/api/history/{name}`. */
  readonly name: string;
  readonly revision: number;
}

/** Restores the section's missing pictures, then its values. Throws `not_found` if the archive lacks the section. */
export async function restoreSection(
  { archive, content }: OpenedArchive,
  name: string,
  site: PartRestoreTarget,
): Promise<ReplacedEntity[]> {
  const section = RESTORABLE_SECTIONS.find((each) => each.name === name);
  const archivedEntities = section?.members.filter(({ key }) => content.values.has(key)) ?? [];
  if (archivedEntities.length === 0) throw notFound("This backup doesn't contain that section.");
  const values = new Map(
    archivedEntities.map((entity) => [entity, content.values.get(entity.key)]),
  );
  const urls = new Set([...values].flatMap(([entity, value]) => findUploadUrls(entity, value)));
  const shownPictures = content.uploads.filter(({ url }) => urls.has(url));
  await restorePictures({ archive, content }, shownPictures, site);
  return site.putValues(values, content.lastSeenErasureId);
}

/** Restores a picture. Throws `not_found` if the archive lacks it, and `conflict` if the site has it. */
export async function restorePicture(
  opened: OpenedArchive,
  id: string,
  site: PartRestoreTarget,
): Promise<Upload> {
  const picture = opened.content.uploads.find((each) => each.id === id);
  if (!picture) throw notFound("This backup doesn't contain that image.");
  if (site.library.list().some((each) => each.id === id))
    throw conflict("The site already has this image.");
  await restorePictures(opened, [picture], site);
  return picture;
}

/** Restores the pictures that the site lacks: from the bin if they are there, else from the archive. */
async function restorePictures(
  { archive }: OpenedArchive,
  pictures: readonly Upload[],
  { library, bin }: PartRestoreTarget,
): Promise<void> {
  const currentIds = new Set(library.list().map(({ id }) => id));
  const picturesToImport: Upload[] = [];
  for (const picture of pictures.filter(({ id }) => !currentIds.has(id))) {
    const restoredItem = await bin.restoreItem(
      picture.id,
      ({ item }, transaction) => library.restoreFromBin(item as Upload, transaction),
      ({ item }) => library.makeServable(item as Upload),
    );
    if (!restoredItem) picturesToImport.push(picture);
  }
  if (picturesToImport.length === 0) return;
  const fileNames = new Set(
    picturesToImport.flatMap(({ filename, widths }) => [
      filename,
      ...widths.map((width) => createVariantName(filename, width)),
    ]),
  );
  await library.importPictures(picturesToImport, async (accept) => {
    await readArchive(archive, async (path, bytes) => {
      if (!path.startsWith("uploads/")) return;
      const storedName = path.slice("uploads/".length);
      // If a picture was in the bin, its file in the archive has a hidden name.
      const fileName = findOriginalName(storedName) ?? storedName;
      if (fileNames.has(fileName)) await accept(fileName, bytes);
    });
  });
}
