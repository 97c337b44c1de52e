/** The changes that records know, each bound to the one segment it belongs to. */
import type { Change } from "./groupCommit.ts";
import type { SegmentIndex } from "./segmentIndex.ts";
import type { SegmentStage } from "./segmentStage.ts";

/** Where to look for a record: the index, or the stage with what is not yet written. */
type Lookup<T extends { id: string }, K> = SegmentIndex<T, K> | SegmentStage<T, K>;

export interface RecordChange<T extends { id: string }, K, R> extends Change<
  SegmentStage<T, K>,
  R
> {
  /** The segment to write; undefined: the one that takes inserts. */
  home(lookup: Lookup<T, K>): number | undefined;
}

function bound<T extends { id: string }, K, R>(
  home: RecordChange<T, K, R>["home"],
  apply: (stage: SegmentStage<T, K>) => R,
): RecordChange<T, K, R> {
  const joins = (stage: SegmentStage<T, K>) => {
    const number = home(stage);
    return number === undefined ? stage.takesInserts : number === stage.number;
  };
  return { home, apply, joins };
}

export function insertion<T extends { id: string }, K>(record: T): RecordChange<T, K, T> {
  return bound(
    () => undefined,
    (stage) => stage.add(record),
  );
}

export function upsertion<T extends { id: string }, K>(
  unique: string,
  change: (existing: T | undefined) => T,
): RecordChange<T, K, T> {
  return bound(
    (lookup) => lookup.segmentOfUnique(unique),
    (stage) => {
      const existing = stage.findUnique(unique);
      const given = change(existing);
      if (existing && given === existing) return existing;
      const next = stage.canonical(given);
      if (stage.index.spec.unique?.(next) !== unique) {
        throw new Error("An upsert must keep the record's unique key.");
      }
      return existing ? stage.change(existing, next) : stage.add(next);
    },
  );
}

export function alteration<T extends { id: string }, K>(
  id: string,
  change: (record: T) => T,
): RecordChange<T, K, T | undefined> {
  return bound(
    (lookup) => lookup.segmentOf(id) ?? anywhere(lookup),
    (stage) => {
      const existing = stage.find(id);
      return existing && stage.change(existing, change(existing));
    },
  );
}

export function removal<T extends { id: string }, K>(
  id: string,
): RecordChange<T, K, T | undefined> {
  return bound(
    (lookup) => lookup.segmentOf(id) ?? anywhere(lookup),
    (stage) => stage.remove((record) => record.id === id)[0],
  );
}

/** Changes all matches in one segment; gives how many changed. */
export function alterations<T extends { id: string }, K>(
  segment: number,
  where: (key: K) => boolean,
  change: (record: T) => T,
): RecordChange<T, K, number> {
  return bound(
    () => segment,
    (stage) => stage.changeAll((record) => where(stage.index.spec.key(record)), change),
  );
}

/** Removes from one segment; gives how many went. */
export function clearance<T extends { id: string }, K>(
  segment: number,
  where: (key: K) => boolean,
): RecordChange<T, K, number> {
  return bound(
    () => segment,
    (stage) => stage.remove((record) => where(stage.index.spec.key(record))).length,
  );
}

/** A record that is nowhere is as well not found in the segment at hand. */
function anywhere<T extends { id: string }, K>(lookup: Lookup<T, K>): number {
  return "number" in lookup ? lookup.number : lookup.last;
}
