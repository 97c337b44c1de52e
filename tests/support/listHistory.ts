/**
 * Checks a history of a list that many wrote to and read at the same time, as Jepsen does for a set: what was
 * acknowledged is there, once, until its removal is asked for; what was removed stays away; and whoever reads later
 * sees no older state. A read may be as old as `within`.
 */

export type Event =
  /** `ended`: when it was acknowledged; undefined when nobody knows whether it was done. */
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

/** What can't be, in words; nothing when all is well. Times in milliseconds; each item is added once. */
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

/** Of one item; `shown`: by all reads in the order in which they began. */
function faultsOf(writes: readonly Write[], shown: readonly Shown[], within: number): string[] {
  const add = writes.find(({ kind }) => kind === "add");
  const removals = writes.filter(({ kind }) => kind === "remove");
  if (!add) return shown.some(({ isListed }) => isListed) ? ["nobody added it"] : [];
  const removedFrom = Math.min(...removals.map(({ began }) => began));
  const removalDeadline = Math.min(...removals.map(({ ended }) => (ended ?? Infinity) + within));
  /** From when on a read has to have it: it was acknowledged, or somebody saw it. */
  let sure = (add.ended ?? Infinity) + within;
  /** From when on no read may have it: it was removed, or somebody saw that it was gone. */
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
