/** Work in rounds: whenever it is woken and at intervals, never two rounds at once. */

export interface Rounds {
  /** Starts a round, or another one after the current one. */
  wake(): void;
  /** True once it should stop, so that a round can end early. */
  isStopping(): boolean;
  /** Resolves once no round is running. */
  settled(): Promise<void>;
  /** Starts no more rounds; resolves once the current one is over. */
  stop(): Promise<void>;
}

/** `every` is in milliseconds and doesn't keep the process alive. `round` must not reject. */
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
