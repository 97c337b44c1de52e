/** Work that is done in rounds: whenever it is woken and at intervals, never two rounds at the same time. */

export interface Rounds {
  /** A round now, or another one after the one under way. */
  wake(): void;
  /** True once it is to stop: a round ends early then. */
  isStopping(): boolean;
  /** Resolves once no round is under way. */
  settled(): Promise<void>;
  /** No further round; resolves once the one under way is over. */
  stop(): Promise<void>;
}

/** `every`: in milliseconds, without keeping the process alive. `round` must not reject. */
export function inRounds(every: number, round: () => Promise<void>): Rounds {
  const asked = { again: false, toStop: false };
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (asked.again && !asked.toStop) {
      asked.again = false;
      await round(); // oxlint-disable-line no-await-in-loop -- one at a time
    }
  }
  function wake(): void {
    asked.again = true;
    running ??= run().finally(() => (running = undefined));
  }

  const timer = setInterval(wake, every);
  timer.unref();
  return {
    wake,
    isStopping: () => asked.toStop,
    settled: async () => running,
    async stop() {
      asked.toStop = true;
      clearInterval(timer);
      await running;
    },
  };
}
