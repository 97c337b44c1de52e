/**
 * Checks the history of a list with concurrent writers and readers, as Jepsen does for a set: everything
 * acknowledged is there, once, until its removal is requested; removed items stay away; and no reader goes back in
 * time. A read may be `within` milliseconds old.
 */

export type Event =
  /** `ended`: when it was acknowledged; undefined if the result is unknown. */
  | {
      readonly kind: "add" | "remove";
      readonly item: string;
      readonly began: number;
      readonly ended: number | undefined;
    }
  | {
      readonly kind: "read";
      readonly items: readonly string[];
      readonly began: number;
      readonly ended: number;
    };

type Read = Extract<Event, { kind: "read" }>;
type Write = Exclude<Event, Read>;

/** Impossible events in words; empty if there are none. Times in milliseconds; each item is added once. */
export function faultsIn(history: readonly Event[], within: number): string[] {
  const reads = history
    .filter((event): event is Read => event.kind === "read")
    .toSorted((one, other) => one.began - other.began);
  const writes = history.filter((event): event is Write => event.kind !== "read");
  const seen = reads.map(({ items }) => new Set(items));
  const items = new Set([
    ...writes.map(({ item }) => item),
    ...reads.flatMap((each) => each.items),
  ]);
  const twice = reads.flatMap(({ items: all }, at) =>
    all.length > seen[at]!.size ? [`a read has ${all.length - seen[at]!.size} items twice`] : [],
  );
  const faults = [...items].flatMap((item) => {
    const itemWrites = writes.filter((write) => write.item === item);
    const shown = reads.map(({ began, ended }, at) => ({
      began,
      ended,
      isListed: seen[at]!.has(item),
    }));
    return faultsOf(itemWrites, shown, within).map((fault) => `${item}: ${fault}`);
  });
  return [...twice, ...faults];
}

interface Shown {
  readonly began: number;
  readonly ended: number;
  readonly isListed: boolean;
}

/** Faults of one item; `shown` has all reads in the order of their start. */
function faultsOf(writes: readonly Write[], shown: readonly Shown[], within: number): string[] {
  const add = writes.find(({ kind }) => kind === "add");
  const removals = writes.filter(({ kind }) => kind === "remove");
  if (!add) return shown.some(({ isListed }) => isListed) ? ["nobody added it"] : [];
  const removedFrom = Math.min(...removals.map(({ began }) => began));
  const removalDeadline = Math.min(...removals.map(({ ended }) => (ended ?? Infinity) + within));
  /** When reads have to have it: it was acknowledged, or someone saw it. */
  let sure = (add.ended ?? Infinity) + within;
  /** When no read may have it: it was removed, or someone saw that it was gone. */
  let absentFrom = removalDeadline;
  const faults: string[] = [];
  for (const { began, ended, isListed } of shown) {
    if (isListed && ended < add.began) faults.push("seen before it was sent");
    if (isListed && began > absentFrom)
      faults.push(began > removalDeadline ? "removed, and there" : "there again");
    if (!isListed && began > sure && ended < removedFrom)
      faults.push("acknowledged or seen, and lost");
    if (isListed) sure = Math.min(sure, ended + within);
    else if (began > sure) absentFrom = Math.min(absentFrom, ended + within);
  }
  return [...new Set(faults)];
}
