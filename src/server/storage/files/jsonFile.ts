/** Reads and writes JSON files with lowdb. Files are checked when they are read, and written durably. */
import { type Adapter, Low } from "lowdb";
import type { DataFolder } from "./dataFolder.ts";
import { ignoreMissing, writeDurably } from "../disk/disk.ts";
import {
  decodeEnvelope,
  type DecodedEnvelope,
  encodeEnvelope,
  type Envelope,
} from "../envelope.ts";
import { deepFreeze, type StoredFormat } from "../storedValue.ts";
import type { RevisionSummary, Snapshot } from "../store.ts";

export interface FileLocation<T> {
  readonly folder: DataFolder;
  readonly path: string;
  readonly format: StoredFormat<T>;
}

/** The new content of a file: either a value, or the JSON of a value. */
type NewContent<T> = RevisionSummary &
  ({ readonly value: T; readonly json?: undefined } | { readonly json: string });

/** The data of a file in lowdb: the content that was read, or the content to write. */
type LowdbData<T> = DecodedEnvelope<T> | { readonly written: NewContent<T> };

/**
 * Reads a file; undefined if it is missing. With `acceptsEdits`, an edited file is accepted if it fits the schema.
 * Throws `cannot_open` if the value can't be migrated, and another Error if the file can't be read or is damaged.
 */
export async function readJsonFile<T>(
  location: FileLocation<T>,
  acceptsEdits = false,
): Promise<DecodedEnvelope<T> | undefined> {
  const low = new Low<LowdbData<T> | null>(createAdapter(location, { acceptsEdits }), null);
  await low.read();
  if (!low.data || "written" in low.data) return undefined;
  // Records aren't frozen, since a list stores only their JSON in memory, not the parsed objects.
  return location.format.isTrusted ? low.data : deepFreeze(low.data);
}

/** Writes a file and, with `hasCopy`, its `.bak`. Throws `cannot_store`; the old file is then unchanged. */
export async function writeJsonFile<T>(
  location: FileLocation<T>,
  content: NewContent<T>,
  { hasCopy = true, canUseReserve = hasCopy }: { hasCopy?: boolean; canUseReserve?: boolean } = {},
): Promise<void> {
  const low = new Low<LowdbData<T> | null>(createAdapter(location, { hasCopy }), {
    written: content,
  });
  await location.folder.write(location.format.entity, () => low.write(), canUseReserve);
}

export const toSnapshot = <T>({ revision, savedAt, value }: Envelope<T>): Snapshot<T> =>
  Object.freeze({ revision, savedAt, value });

function createAdapter<T>(
  { folder, path, format }: FileLocation<T>,
  { hasCopy = false, acceptsEdits = false },
): Adapter<LowdbData<T> | null> {
  return {
    async read() {
      const bytes = await ignoreMissing(folder.disk.read(path));
      return bytes ? decodeEnvelope(format, bytes, acceptsEdits) : null;
    },
    async write(data) {
      if (!data || !("written" in data)) return;
      const { entity, version, location } = format;
      const envelope = { entity, version, value: undefined, ...data.written };
      const bytes = encodeEnvelope(location, envelope, data.written.json);
      await writeDurably(folder.disk, path, bytes, hasCopy);
    },
  };
}
