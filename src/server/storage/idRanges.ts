/**
 * Which segments may hold an id. Ids rise with time, so that a new one is beyond all segments, and any other is in
 * the range of hardly more than one: what it takes to find out doesn't grow with the list.
 */

/** The least and the greatest id of a segment; undefined when it is empty. */
type Range = readonly [least: string, greatest: string] | undefined;

interface Known {
  readonly segment: number;
  range: Range;
  /** The greatest id that was ever in this segment, or in one before it. */
  reach: string;
}

export class IdRanges {
  /** By ascending numbers of the segments. */
  readonly #known: Known[] = [];

  /** To be called with each change of a segment, the first time in the order of their numbers. */
  set(segment: number, range: Range): void {
    let at = this.#known.findLastIndex((each) => each.segment === segment);
    if (at === -1)
      at = this.#known.push({ segment, range, reach: this.#known.at(-1)?.reach ?? "" }) - 1;
    this.#known[at]!.range = range;
    const greatest = range?.[1] ?? "";
    for (let each = this.#known[at]; each && each.reach < greatest; each = this.#known[++at])
      each.reach = greatest;
  }

  /** The numbers of the segments in whose range it is, newest first. */
  around(id: string): number[] {
    const found: number[] = [];
    for (let at = this.#known.length - 1; at >= 0; at--) {
      const { segment, range, reach } = this.#known[at]!;
      if (id > reach) break;
      if (range && id >= range[0] && id <= range[1]) found.push(segment);
    }
    return found;
  }
}
