/** The contents of an archive, read without unpacking, and how they differ from the present site. */
import type { BackupSection } from "../../schema/api/backups.ts";
import { describeChanges } from "../../schema/entities/changes.ts";
import {
  type Collection,
  type Entity,
  entityFields,
  type Singleton,
} from "../../schema/entities/entity.ts";
import { allEntities, type Content, entities, type Item, parentList } from "../../schema/index.ts";
import {
  parseArchivedDocument,
  type ArchivedDocument,
  newerDocument,
  parseArchivedRecords,
} from "../storage/archiveEntries.ts";
import { findOriginalName, isVariantName, pictureStem } from "../storage/pictures/pictureNames.ts";
import type { Store } from "../storage/store.ts";
import { readArchive } from "./unpackArchive.ts";

type Upload = Content<"uploads">[number];
export type ContentEntity = Singleton | Collection;

/** A part that can be restored separately: entities with one name for people. */
interface ArchivedSection {
  readonly name: string;
  readonly entities: readonly ContentEntity[];
}

export interface BackupContent {
  readonly createdAt: string;
  /** Documents' values in the current schema, by entity key. */
  readonly values: ReadonlyMap<string, unknown>;
  /** Counts of records, by entity key. */
  readonly counts: ReadonlyMap<string, number>;
  readonly uploads: readonly Upload[];
  /** The id of the last erasure that it has seen; null where it has seen none. */
  readonly lastErasure: string | null;
  /** Small pictures, by the start of their names. */
  readonly thumbnails: ReadonlyMap<string, Uint8Array>;
}

/** In bytes, for all small pictures of an archive; further ones aren't shown. */
const MAX_THUMBNAIL_BYTES = 8 * 1024 * 1024;

/** Throws `cannot_open` for an incomplete archive. */
export async function readBackupContent(archive: string): Promise<BackupContent> {
  const documents = new Map<string, ArchivedDocument<unknown>>();
  const counts = new Map<string, number>();
  const small = new Map<string, Uint8Array>();
  let smallBytes = 0;
  const { createdAt } = await readArchive(archive, (whole, bytes) => {
    const path = whole.slice(whole.indexOf("/") + 1);
    if (whole.startsWith("uploads/")) {
      // The smallest variant comes first.
      if (!isVariantName(path) || small.has(pictureStem(path))) return;
      if (smallBytes + bytes.length > MAX_THUMBNAIL_BYTES) return;
      small.set(pictureStem(path), bytes);
      smallBytes += bytes.length;
      return;
    }
    for (const entity of allEntities) {
      if (entity.shape === "records") {
        const records = parseArchivedRecords({ path, bytes }, entity);
        if (records) counts.set(entity.key, (counts.get(entity.key) ?? 0) + records.length);
      } else {
        const inFile = parseArchivedDocument<ContentEntity>({ path, bytes }, entity);
        const newest = newerDocument(documents.get(entity.key), inFile);
        if (newest) documents.set(entity.key, newest);
      }
    }
  });
  const values = new Map([...documents].map(([key, { value }]) => [key, value]));
  const uploads = (values.get(entities.uploads.key) ?? []) as readonly Upload[];
  const mark = values.get(entities.erasureMark.key) as Item<"erasureMark"> | undefined;
  return { createdAt, values, counts, uploads, lastErasure: mark?.seen ?? null, thumbnails: small };
}

/** The sections that owners edit; a list includes what belongs to it. */
export const ARCHIVED_SECTIONS: readonly ArchivedSection[] = groupSections(allEntities);

function groupSections(all: readonly Entity[]): ArchivedSection[] {
  const edited = all.filter(
    (entity): entity is ContentEntity =>
      entity.shape !== "records" && entity.hasHistory && entity.readers === "everyone",
  );
  const names = Map.groupBy(edited, (entity) => topmostParent(entity).section);
  return [...names].map(([name, members]) => ({ name, entities: members }));
}

/** The topmost parent. */
function topmostParent(entity: ContentEntity): ContentEntity {
  const parent = parentList(entity);
  return parent ? topmostParent(parent) : entity;
}

/** The sections that the archive has. */
export function compareSections({ values }: BackupContent, store: Store): BackupSection[] {
  const present = (entity: ContentEntity): unknown => store.of(entity).read().value;
  return ARCHIVED_SECTIONS.flatMap(({ name, entities: members }) => {
    const held = members.filter(({ key }) => values.has(key));
    if (held.length === 0) return [];
    return {
      name,
      changes: held.flatMap((entity) =>
        describeChanges(entity, present(entity), values.get(entity.key)),
      ),
      counts: held.flatMap((entity) =>
        entity.shape === "collection"
          ? {
              what: entity.plural.toLowerCase(),
              backup: (values.get(entity.key) as unknown[]).length,
              now: (present(entity) as unknown[]).length,
            }
          : [],
      ),
      picturesInBackup: held.flatMap((entity) =>
        findUploadedPictures(entity, values.get(entity.key)),
      ),
      picturesNow: held.flatMap((entity) => findUploadedPictures(entity, present(entity))),
    };
  });
}

/** The uploaded pictures in a value, in order. */
export function findUploadedPictures(entity: ContentEntity, value: unknown): string[] {
  const names = Object.entries(entityFields(entity))
    .filter(([, { kind }]) => kind.findPictures)
    .map(([name]) => name);
  const items = (Array.isArray(value) ? value : [value]) as Readonly<Record<string, unknown>>[];
  const texts = items.flatMap((item) => names.map((name) => String(item[name] ?? "")));
  return [...new Set(texts.flatMap((text) => text.match(UPLOAD_URL_PATTERN) ?? []))];
}

const UPLOAD_URL_PATTERN = /\/uploads\/[0-9a-f]{32}\.(?:jpg|png|webp|gif)/g;

/** The name in the archive's list for a file of uploads: the original's, else a variant's own. */
export const archivedFileName = (path: string) => findOriginalName(path) ?? path;
