/**
 * The time that texts occupy this process: in time of the processor, which is the same on a machine with much
 * else to do.
 */

/** What a text may take beyond what the same call takes with a word, in milliseconds. */
export const LONGEST = 50;
/** Whatever else the process did meanwhile is not there each time. */
const TRIES = 5;

/** A call with a text in one place, or in several. */
export type Shape = (text: string) => Request;

/** What was tried of texts. */
export interface Tried {
  /** What took more than `LONGEST`. */
  readonly wrong: string[];
  /** Milliseconds and name of all that took half of it, also those that a second try has cleared. */
  readonly slowest: [number, string][];
  tryTexts(name: string, shape: Shape, texts: readonly string[]): Promise<void>;
}

/** `send`: resolves once there is nothing more to do for the request. */
export function processorTime(send: (request: Request) => Promise<unknown>): Tried {
  const wrong: string[] = [];
  const slowest: [number, string][] = [];
  const costOf = async (request: Request) => {
    // Of this thread: passwords are hashed on others.
    const before = process.threadCpuUsage();
    await send(request);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  };
  const leastCost = async (shape: Shape, text: string, tries = TRIES) => {
    let least = Number.POSITIVE_INFINITY;
    // One after the other, since the process has one clock.
    for (let left = tries; left > 0; left--) least = Math.min(least, await costOf(shape(text)));
    return least;
  };
  return {
    wrong,
    slowest,
    async tryTexts(name, shape, texts) {
      const usual = await leastCost(shape, "word", 2);
      for (const text of texts) {
        const first = await costOf(shape(text));
        if (first < LONGEST / 2) continue;
        const cost = Math.round(Math.min(first, await leastCost(shape, text)) - usual);
        const label = `${name} ${JSON.stringify(text.slice(0, 12))}`;
        slowest.push([cost, label]);
        if (cost > LONGEST) wrong.push(`${cost} ms: ${label}`);
      }
    },
  };
}
