/** Makes the files of an archive from the data that an engine stores in its own format. */
import { encode, type Envelope } from "../envelope.ts";
import type { StoredFile } from "../store.ts";
import {
  documentFile,
  isFullSegment,
  SEGMENT_LIST_FILE,
  listFormat,
  MARKER,
  type Marker,
  markerFormat,
  segmentFile,
  versionFile,
} from "./entries.ts";

/** Without a journal: the files are complete. */
export function* markerFiles(marker: Omit<Marker, "journal">): Generator<StoredFile> {
  const { entity, place, version } = markerFormat;
  const value = { ...marker, journal: null };
  const envelope = { entity, version, revision: 1, savedAt: marker.createdAt, value };
  yield* twice(fileOf(MARKER, place, envelope));
}

export const documentFiles = (envelope: Envelope<unknown>): Generator<StoredFile> =>
  twice(fileOf(documentFile(envelope.entity), envelope.entity, envelope));

/** An earlier revision. */
export const versionOf = (envelope: Envelope<unknown>): StoredFile =>
  fileOf(versionFile(envelope.entity, envelope.revision), envelope.entity, envelope);

/** A stored record: `bytes` is the length of its JSON. */
export interface StoredRecord {
  readonly version: number;
  readonly bytes: number;
  readonly value: unknown;
}

/** An entity's records in segments, oldest first, and the list of segments; `version` is that of an empty list. */
export async function* listFiles(
  { name, version: ofEmpty }: { readonly name: string; readonly version: number },
  savedAt: string,
  records: AsyncIterable<StoredRecord>,
): AsyncGenerator<StoredFile> {
  let number = 0;
  const segment = (version: number, value: unknown[]): Generator<StoredFile> => {
    number++;
    const envelope = { entity: name, version, revision: 1, savedAt, value };
    return twice(fileOf(`${name}/${segmentFile(number)}`, `${name}/${number}`, envelope));
  };
  let held: unknown[] = [];
  let [bytes, version] = [0, ofEmpty];
  for await (const record of records) {
    const isFull = isFullSegment({ records: held.length, size: bytes });
    if (held.length > 0 && (isFull || record.version !== version)) {
      yield* segment(version, held);
      [held, bytes] = [[], 0];
    }
    held.push(record.value);
    [bytes, version] = [bytes + record.bytes, record.version];
  }
  if (held.length > 0 || number === 0) yield* segment(version, held);
  const { entity, place, version: listVersion } = listFormat(name);
  const value = { first: 1, last: number, revisions: {} };
  const list = { entity, version: listVersion, revision: 1, savedAt, value };
  yield* twice(fileOf(`${name}/${SEGMENT_LIST_FILE}`, place, list));
}

const fileOf = (path: string, label: string, envelope: Envelope<unknown>): StoredFile => ({
  path,
  bytes: encode(label, envelope),
});

/** With its copy. */
function* twice(file: StoredFile): Generator<StoredFile> {
  yield file;
  yield { ...file, path: `${file.path}.bak` };
}
