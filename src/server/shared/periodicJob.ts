/** Recurring work, in rounds: at intervals and whenever it is woken; for a whole site, by one instance at a time. */
import type { SharedStore } from "./instances.ts";

export interface PeriodicJob {
  /** Starts a round, or another one after the current one. */
  wake(): void;
  /** True once it should stop, so that a round can end early. */
  isStopping(): boolean;
  /** Resolves once no round is running. */
  whenIdle(): Promise<void>;
  /** Stops starting rounds; resolves once the current one is over. */
  stop(): Promise<void>;
}

/**
 * False once a round should end: the site is stopping, or another instance may have started the job. Call it before
 * each step that must not run twice. Never throws.
 */
export type ShouldContinue = () => Promise<boolean>;

interface SiteJob {
  readonly store: SharedStore;
  /** Two instances never run rounds of the same name at once. */
  readonly name: string;
  /** In milliseconds; rounds also run whenever it is woken. */
  readonly every: number;
  readonly round: (shouldContinue: ShouldContinue) => Promise<void>;
  /** Called with the error of a round that failed; the next round continues the work. */
  readonly onError: (error: unknown) => void;
  /** Called instead of a round when another instance is running one. */
  readonly onSkipped?: () => Promise<void> | void;
}

/** The first round starts when it is first woken. */
export function startSiteJob({
  store,
  name,
  every,
  round,
  onError: failed,
  onSkipped: elsewhere,
}: SiteJob): PeriodicJob {
  const rounds = startPeriodicJob(every, async () => {
    try {
      const isDone = await store.instances.runExclusively(name, async (isOurs) => {
        await round(async () => !rounds.isStopping() && isOurs());
        return true;
      });
      if (!isDone) await elsewhere?.();
    } catch (error) {
      failed(error);
    }
  });
  return rounds;
}

/**
 * Work of one instance: never two rounds at once. `every` is in milliseconds and doesn't prevent the process from
 * ending. `round` must not reject.
 */
export function startPeriodicJob(every: number, round: () => Promise<void>): PeriodicJob {
  const state = { isWoken: false, isStopping: false };
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (state.isWoken && !state.isStopping) {
      state.isWoken = false;
      await round(); // oxlint-disable-line no-await-in-loop -- one at a time
    }
    // Here, not when the promise resolves: a wake in between would start nothing.
    running = undefined;
  }
  function wake(): void {
    state.isWoken = true;
    running ??= run();
  }

  const timer = setInterval(wake, every);
  timer.unref();
  return {
    wake,
    isStopping: () => state.isStopping,
    whenIdle: async () => running,
    async stop() {
      state.isStopping = true;
      clearInterval(timer);
      await running;
    },
  };
}
