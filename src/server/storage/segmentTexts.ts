/**
 * The texts in which a search looks, held in memory so that one over a hundred thousand records takes
 * milliseconds. They are made of a segment when it is first searched, in UTF-8 and in lower case.
 */

/** In bytes. What visitors may send is more: the texts beyond are read whenever they are searched. */
const MOST_HELD = 64 * 1024 * 1024;

/** In UTF-8, of what a string counts as one. */
const MOST_BYTES_OF_UNIT = 3;

/** The texts of a segment's records, one after the other. */
interface Texts {
  readonly bytes: Buffer;
  /** Where each record's texts end. */
  readonly ends: Uint32Array;
}

export class SegmentTexts<T> {
  readonly #held = new Map<number, Texts>();
  #size = 0;
  /** Where the texts of a segment are put together. */
  #sheet = Buffer.alloc(64 * 1024);

  constructor(readonly textsOf: (record: T) => string[]) {}

  /** To be called when a segment has other records than before. */
  forget(segment: number): void {
    this.#size -= this.#held.get(segment)?.bytes.length ?? 0;
    this.#held.delete(segment);
  }

  holds(segment: number): boolean {
    return this.#held.has(segment);
  }

  /** Whether there is room for the texts of more segments. */
  get hasRoom(): boolean {
    return this.#size < MOST_HELD;
  }

  /** Makes the texts of a segment. */
  hold(segment: number, records: readonly T[]): void {
    this.forget(segment);
    const texts = this.#make(records);
    this.#held.set(segment, texts);
    this.#size += texts.bytes.length;
  }

  #make(records: readonly T[]): Texts {
    const ends = new Uint32Array(records.length);
    let end = 0;
    for (const [at, record] of records.entries()) {
      // Nothing that is searched for holds this sign, so no match reaches from one text into the next.
      const text = `${this.textsOf(record).join("\0")}\0`.toLowerCase();
      this.#makeRoom(end, text.length * MOST_BYTES_OF_UNIT);
      end += this.#sheet.write(text, end);
      ends[at] = end;
    }
    return { bytes: Buffer.from(this.#sheet.subarray(0, end)), ends };
  }

  #makeRoom(used: number, wanted: number): void {
    if (this.#sheet.length - used >= wanted) return;
    const larger = Buffer.alloc(2 * (used + wanted));
    larger.set(this.#sheet.subarray(0, used));
    this.#sheet = larger;
  }

  /** Which records of a segment hold `sought`, in ascending order. The texts of the segment are held. */
  find(segment: number, sought: Buffer): number[] {
    const { bytes, ends } = this.#held.get(segment)!;
    return matchesIn(bytes, ends, sought);
  }

  /** The same for records whose texts are not to be held. */
  findIn(records: readonly T[], sought: Buffer): number[] {
    const { bytes, ends } = this.#make(records);
    return matchesIn(bytes, ends, sought);
  }
}

/** Looks once through the texts, and goes on after a record that matches. */
function matchesIn(bytes: Buffer, ends: Uint32Array, sought: Buffer): number[] {
  const found: number[] = [];
  let record = 0;
  for (let at = bytes.indexOf(sought); at !== -1; at = bytes.indexOf(sought, ends[record++]!)) {
    while (ends[record]! <= at) record++;
    found.push(record);
  }
  return found;
}
