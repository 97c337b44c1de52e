/** Measures the processor time that texts take in this process, which is the same on a busy machine. */

/** The most that a text may take beyond the time of the same call with a word, in milliseconds. */
const MAX_COST_MS = 50;
/** The number of measurements, of which the least counts, since other work of the process adds to some of them. */
const TRIES = 5;

/** Creates a request that contains a text in one or several places. */
type CreateRequest = (text: string) => Request;

/** Creates a timer. `send` must resolve once a request needs no more work. */
export function createTextTimer(send: (request: Request) => Promise<unknown>) {
  /** Texts that took more than `MAX_COST_MS`. */
  const wrong: string[] = [];
  /**
   * Milliseconds and names of texts that took over half of `MAX_COST_MS`, including those that were fast when repeated.
   */
  const slowest: [number, string][] = [];
  const measureCost = async (request: Request) => {
    // Only this thread is measured, since passwords are hashed on others.
    const before = process.threadCpuUsage();
    await send(request);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  };
  const measureLeastCost = async (createRequest: CreateRequest, text: string, tries = TRIES) => {
    let least = Number.POSITIVE_INFINITY;
    // Requests are sent one after the other, since the thread has only one clock.
    for (let left = tries; left > 0; left--)
      least = Math.min(least, await measureCost(createRequest(text)));
    return least;
  };
  return {
    wrong,
    slowest,
    async tryTexts(name: string, createRequest: CreateRequest, texts: readonly string[]) {
      const baseCost = await measureLeastCost(createRequest, "word", 2);
      for (const text of texts) {
        const first = await measureCost(createRequest(text));
        if (first < MAX_COST_MS / 2) continue;
        const cost = Math.round(
          Math.min(first, await measureLeastCost(createRequest, text)) - baseCost,
        );
        const label = `${name} ${JSON.stringify(text.slice(0, 12))}`;
        slowest.push([cost, label]);
        if (cost > MAX_COST_MS) wrong.push(`${cost} ms: ${label}`);
      }
    },
  };
}
