/**
 * Which segments may hold an id. Ids rise with time, so that a new one is beyond all segments, and any other is in
 * the range of hardly more than one: what it takes to find out doesn't grow with the list.
 */

/** The least and the greatest id of a segment; undefined when it is empty. */
type Range = readonly [least: string, greatest: string] | undefined;

interface Known {
  readonly segment: number;
  range: Range;
  /** The greatest id that was ever in this segment or in one before it. */
  reach: string;
  /** The least id that was ever in this segment or in one after it. */
  floor: string;
}

/** Before and after every id. */
const LOWEST = "";
const HIGHEST = "\u{10ffff}";

export class IdRanges {
  /** By ascending numbers of the segments. */
  readonly #known: Known[] = [];

  /** To be called with each change of a segment, the first time in the order of their numbers. */
  set(segment: number, range: Range): void {
    const known = this.#known;
    let at = known.findLastIndex((each) => each.segment === segment);
    if (at === -1) {
      const reach = known.at(-1)?.reach ?? LOWEST;
      at = known.push({ segment, range, reach, floor: HIGHEST }) - 1;
    }
    known[at]!.range = range;
    if (!range) return;
    const [least, greatest] = range;
    for (let next = at; next < known.length && known[next]!.reach < greatest; next++)
      known[next]!.reach = greatest;
    for (let before = at; before >= 0 && known[before]!.floor > least; before--)
      known[before]!.floor = least;
  }

  /** The numbers of the segments in whose range it is, newest first. */
  around(id: string): number[] {
    const known = this.#known;
    const found: number[] = [];
    for (let at = this.#firstThatReaches(id); at < known.length && known[at]!.floor <= id; at++) {
      const { segment, range } = known[at]!;
      if (range && id >= range[0] && id <= range[1]) found.push(segment);
    }
    return found.toReversed();
  }

  /** By halves, since each reaches as far as those before it. */
  #firstThatReaches(id: string): number {
    let [low, high] = [0, this.#known.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#known[middle]!.reach < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
