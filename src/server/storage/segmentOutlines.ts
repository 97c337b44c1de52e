/**
 * What is known of all segments of one kind of records, kept for the next start in a file beside them, so
 * that this one need not read them first. It is believed of a segment whose file has not been touched
 * since. Nothing is lost with it: what it doesn't tell is read.
 */
import { join } from "node:path";
import * as v from "valibot";
import { type DataFolder, reasonOf } from "./dataFolder.ts";
import { ifThere, writeDurably } from "./disk.ts";
import type { RecordsSpec } from "./entitySpecs.ts";
import { decode, encode, type Format } from "./envelope.ts";
import type { Outline } from "./segmentIndex.ts";

/** Hidden: no backup holds it, since files that are put back are others. */
export const OUTLINES = ".outlines";

/** An outline, and of which state of its file. */
export interface KeptOutline<K> {
  readonly revision: number;
  /** As of `Disk.stamp`. */
  readonly stamp: string;
  readonly outline: Outline<K>;
}

/** By the segment's number. */
type KeptOutlines<K> = ReadonlyMap<number, KeptOutline<K>>;

const schema = v.object({
  /** Of the records' schema. */
  version: v.number(),
  facets: v.array(v.string()),
  /** Not looked at one by one: the checksum tells that they are what was written. */
  segments: v.array(v.any()),
});

const formatOf = (name: string): Format<v.InferOutput<typeof schema>> => ({
  entity: `${name}/outlines`,
  place: `${name}/outlines`,
  version: 1,
  schema,
  migrations: {},
});

/** Empty where there is none, or it is of an earlier release or damaged. */
async function readOutlines<T extends { id: string }, K>(
  { disk, directory, log }: DataFolder,
  spec: RecordsSpec<T, K>,
): Promise<KeptOutlines<K>> {
  const path = join(directory, spec.name, OUTLINES);
  try {
    const bytes = await ifThere(disk.read(path));
    if (!bytes) return new Map();
    const { value } = decode(formatOf(spec.name), bytes, { unsealed: false }).envelope;
    const isOurs = value.version === spec.version && String(value.facets) === String(spec.facets);
    return new Map(isOurs ? (value.segments as [number, KeptOutline<K>][]) : []);
  } catch (error) {
    log(`storage: ${path} can't be used (${reasonOf(error)}); all segments are read instead`);
    return new Map();
  }
}

/** Throws what the disk throws. */
async function writeOutlines<T extends { id: string }, K>(
  { disk, directory }: DataFolder,
  spec: RecordsSpec<T, K>,
  outlines: KeptOutlines<K>,
): Promise<void> {
  const format = formatOf(spec.name);
  const { facets, version } = spec;
  const bytes = encode(format.place, {
    entity: format.entity,
    version: format.version,
    revision: 1,
    savedAt: new Date().toISOString(),
    value: { version, facets, segments: [...outlines] },
  });
  await writeDurably(disk, join(directory, spec.name, OUTLINES), bytes);
}

/** How long changes wait before the outlines of their segments are kept, in milliseconds. */
const KEEPS_AFTER = 60_000;

/** What the keeper asks about segments. */
interface Segments<K> {
  numbers(): Iterable<number>;
  /** Undefined for a segment of which nothing is to be believed. */
  outline(number: number): Outline<K> | undefined;
  revision(number: number): number | undefined;
  isBeingWritten(number: number): boolean;
  path(number: number): string;
}

/** Keeps the outlines now and then, and at the end. */
export class OutlineKeeper<T extends { id: string }, K> {
  /** Of files that have not been touched since. */
  readonly #stamps = new Map<number, string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosing = false;

  constructor(
    readonly folder: DataFolder,
    readonly spec: RecordsSpec<T, K>,
    readonly segments: Segments<K>,
  ) {}

  /** The kept outlines of segments whose files have not been touched since. */
  async untouched(): Promise<KeptOutlines<K>> {
    const kept = await readOutlines(this.folder, this.spec);
    const stamps = await Promise.all(
      [...kept.keys()].map((number) => this.folder.disk.stamp(this.segments.path(number))),
    );
    const untouched = new Map([...kept].filter(([, { stamp }], at) => stamp === stamps[at]));
    for (const [number, { stamp }] of untouched) this.#stamps.set(number, stamp);
    return untouched;
  }

  /** To be called once a segment is written. */
  changed(number: number): void {
    this.#stamps.delete(number);
    this.keepSoon();
  }

  keepSoon(): void {
    this.#timer ??= setTimeout(() => void this.#keep(), KEEPS_AFTER).unref();
  }

  /** Keeps what is not kept yet; nothing is written any more. */
  async close(): Promise<void> {
    this.#isClosing = true;
    if (!this.#timer) return;
    clearTimeout(this.#timer);
    await this.#keep();
  }

  async #keep(): Promise<void> {
    this.#timer = undefined;
    const kept = new Map<number, KeptOutline<K>>();
    for (const number of this.segments.numbers()) {
      const each = await this.#toKeep(number);
      if (each) kept.set(number, each);
    }
    await writeOutlines(this.folder, this.spec, kept).catch((error: unknown) =>
      this.folder.log(
        `storage: the outlines of ${this.spec.name} couldn't be kept (${reasonOf(error)}); the next start takes longer`,
      ),
    );
  }

  /** Nothing of a segment that is being written: its file may be newer than what is known of it. */
  async #toKeep(number: number): Promise<KeptOutline<K> | undefined> {
    const { segments, folder } = this;
    const revision = segments.revision(number);
    const stamp = this.#stamps.get(number) ?? (await folder.disk.stamp(segments.path(number)));
    const outline = segments.outline(number);
    const isMoving =
      revision !== segments.revision(number) ||
      (segments.isBeingWritten(number) && !this.#isClosing);
    if (revision === undefined || !stamp || !outline || isMoving) return undefined;
    const { bytes, groups, ids } = outline;
    return { revision, stamp, outline: { bytes, groups, ids } };
  }
}
