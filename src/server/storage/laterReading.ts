/**
 * What a start leaves unread: read a moment later, at once when somebody needs it, and not to its end when
 * the store closes before.
 */

/** A start has other work, and what is asked first seldom needs all that is stored. */
const BEGINS_AFTER_MS = 1000;

export class LaterReading {
  #unread: readonly number[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reading: Promise<void> | undefined;
  #isClosing = false;
  #isCutShort = false;
  /** Somebody waits until all is read. */
  #isAwaited = false;
  #pauses = 0;
  #resume: () => void = () => {};

  /** `read` throws nothing. */
  constructor(readonly read: (segment: number) => Promise<void>) {}

  /** Leaves these segments for later; to be called once. */
  leave(segments: readonly number[]): void {
    this.#unread = segments;
    if (segments.length > 0) this.#timer = setTimeout(() => this.#begin(), BEGINS_AFTER_MS).unref();
  }

  /** Not all has been read. */
  get isPending(): boolean {
    return this.#unread.length > 0;
  }

  /** Closed before all had been read, so that it never will be. */
  get isCutShort(): boolean {
    return this.#isCutShort;
  }

  /** Resolves once all has been read, or the store closes. */
  async finish(): Promise<void> {
    this.#isAwaited = true;
    this.#resume();
    await this.#begin();
  }

  /** Has other work go first, unless somebody waits until all is read. */
  async paused<R>(work: () => Promise<R>): Promise<R> {
    this.#pauses += 1;
    try {
      return await work();
    } finally {
      this.#pauses -= 1;
      if (this.#pauses === 0) this.#resume();
    }
  }

  #begin(): Promise<void> {
    clearTimeout(this.#timer);
    return (this.#reading ??= this.#readAll());
  }

  async #readAll(): Promise<void> {
    for (const segment of this.#unread) {
      if (this.#pauses > 0 && !this.#isAwaited)
        await new Promise<void>((resolve) => (this.#resume = resolve));
      this.#isCutShort = this.#isClosing;
      if (this.#isCutShort) break;
      await this.read(segment);
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#unread = [];
  }

  /** Reads no further; resolves once it has stopped. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.finish();
  }
}
