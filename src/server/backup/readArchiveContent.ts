/** Reads the contents of an archive without unpacking it, and compares them with the current site. */
import type { BackupSection } from "../../schema/api/backups.ts";
import { describeChanges } from "../../schema/entities/changes.ts";
import {
  type Collection,
  type Entity,
  getEntityFields,
  type Singleton,
} from "../../schema/entities/entity.ts";
import {
  allEntities,
  type Content,
  entities,
  type Item,
  findParentList,
} from "../../schema/index.ts";
import {
  parseArchivedDocument,
  type ArchivedDocument,
  chooseNewerDocument,
  parseArchivedRecords,
} from "../storage/archiveEntries.ts";
import { isVariantName, getPictureStem } from "../storage/pictures/pictureNames.ts";
import type { Store } from "../storage/store.ts";
import { readArchive } from "./unpackArchive.ts";

type Upload = Content<"uploads">[number];
export type ContentEntity = Singleton | Collection;

/** Entities that are restored together. `name` is the section's name in the dashboard. */
interface RestorableSection {
  readonly name: string;
  readonly members: readonly ContentEntity[];
}

export interface ArchiveContent {
  readonly createdAt: string;
  /** The values of singletons and collections, migrated to the current format, by entity key. */
  readonly values: ReadonlyMap<string, unknown>;
  /** The number of records, by entity key. */
  readonly counts: ReadonlyMap<string, number>;
  readonly uploads: readonly Upload[];
  /** The id of the last erasure that was carried out before the backup; null if there was none. */
  readonly lastSeenErasureId: string | null;
  /** The smallest variant of each picture, by `getPictureStem` of its name. */
  readonly thumbnails: ReadonlyMap<string, Uint8Array>;
}

/** The maximum memory for an archive's thumbnails. Pictures beyond this limit have no thumbnail. */
const MAX_THUMBNAIL_BYTES = 8 * 1024 * 1024;

/** Reads an archive's contents. Throws `cannot_open` if the archive is incomplete. */
export async function readArchiveContent(archive: string): Promise<ArchiveContent> {
  const documents = new Map<string, ArchivedDocument<unknown>>();
  const counts = new Map<string, number>();
  const thumbnails = new Map<string, Uint8Array>();
  let thumbnailBytes = 0;
  const { createdAt } = await readArchive(archive, (fullPath, bytes) => {
    const path = fullPath.slice(fullPath.indexOf("/") + 1);
    if (fullPath.startsWith("uploads/")) {
      // Uses the first variant, which is the smallest.
      if (!isVariantName(path) || thumbnails.has(getPictureStem(path))) return;
      if (thumbnailBytes + bytes.length > MAX_THUMBNAIL_BYTES) return;
      thumbnails.set(getPictureStem(path), bytes);
      thumbnailBytes += bytes.length;
      return;
    }
    for (const entity of allEntities) {
      if (entity.shape === "records") {
        const records = parseArchivedRecords({ path, bytes }, entity);
        if (records) counts.set(entity.key, (counts.get(entity.key) ?? 0) + records.length);
      } else {
        const archivedDocument = parseArchivedDocument<ContentEntity>({ path, bytes }, entity);
        const newest = chooseNewerDocument(documents.get(entity.key), archivedDocument);
        if (newest) documents.set(entity.key, newest);
      }
    }
  });
  const values = new Map([...documents].map(([key, { value }]) => [key, value]));
  const uploads = (values.get(entities.uploads.key) ?? []) as readonly Upload[];
  const lastSeenErasure = values.get(entities.erasureMark.key) as Item<"erasureMark"> | undefined;
  return {
    createdAt,
    values,
    counts,
    uploads,
    lastSeenErasureId: lastSeenErasure?.seen ?? null,
    thumbnails,
  };
}

const isEditedContent = (entity: Entity): entity is ContentEntity =>
  entity.shape !== "records" && entity.hasHistory && entity.readers === "everyone";

/** The sections that owners edit. Lists of parts, such as a form's questions, are in their parent's section. */
export const RESTORABLE_SECTIONS: readonly RestorableSection[] = [
  ...Map.groupBy(allEntities.filter(isEditedContent), (each) => findTopmostParent(each).section),
].map(([name, members]) => ({ name, members }));

function findTopmostParent(entity: ContentEntity): ContentEntity {
  const parent = findParentList(entity);
  return parent ? findTopmostParent(parent) : entity;
}

export function compareSections({ values }: ArchiveContent, store: Store): BackupSection[] {
  const getArchivedValue = ({ key }: ContentEntity) => values.get(key);
  const getCurrentValue = (entity: ContentEntity): unknown => store.of(entity).read().value;
  return RESTORABLE_SECTIONS.flatMap(({ name, members }) => {
    const archivedEntities = members.filter(({ key }) => values.has(key));
    if (archivedEntities.length === 0) return [];
    const findPictures = (getValue: (entity: ContentEntity) => unknown) =>
      archivedEntities.flatMap((entity) => findUploadUrls(entity, getValue(entity)));
    return {
      name,
      changes: archivedEntities.flatMap((entity) =>
        describeChanges(entity, getCurrentValue(entity), getArchivedValue(entity)),
      ),
      counts: archivedEntities.flatMap((entity) =>
        entity.shape === "collection"
          ? {
              what: entity.plural.toLowerCase(),
              backup: (getArchivedValue(entity) as unknown[]).length,
              now: (getCurrentValue(entity) as unknown[]).length,
            }
          : [],
      ),
      picturesInBackup: findPictures(getArchivedValue),
      picturesNow: findPictures(getCurrentValue),
    };
  });
}

export function findUploadUrls(entity: ContentEntity, value: unknown): string[] {
  const fieldNames = Object.entries(getEntityFields(entity))
    .filter(([, { kind }]) => kind.findPictures)
    .map(([name]) => name);
  const items = (Array.isArray(value) ? value : [value]) as Readonly<Record<string, unknown>>[];
  const texts = items.flatMap((item) => fieldNames.map((name) => String(item[name] ?? "")));
  return [...new Set(texts.flatMap((text) => text.match(UPLOAD_URL_PATTERN) ?? []))];
}

const UPLOAD_URL_PATTERN = /\/uploads\/[0-9a-f]{32}\.(?:jpg|png|webp|gif)/g;
