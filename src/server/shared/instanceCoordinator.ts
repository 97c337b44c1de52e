/** Coordination between the instances of one site; a single instance does everything itself. */
import { cannotStore } from "./errors.ts";

/** Messages between the processes that serve a site, such as counters of limits. */
export interface Channel {
  /**
   * Notifies the other processes within milliseconds. Messages can get lost, so the receivers must be able to read the
   * change elsewhere or do without.
   */
  publish(topic: string, payload: Payload): void;
  subscribe(topic: string, listener: (payload: Payload) => void): void;
}

/** The content of a notification. */
export type Payload = readonly (string | number | null)[];

/** The channel of a site that is served by a single process. */
export const NO_CHANNEL: Channel = {
  publish() {},
  subscribe() {},
};

export interface InstanceCoordinator extends Channel {
  /**
   * Runs `work`, or returns undefined if another instance is running this job. If an instance dies or loses the
   * connection that holds the lock, another takes over within 30 seconds, while `work` may still run. So `work` must
   * call `isLockHeld` before each step that must not run twice, and stop when the result is false.
   */
  runExclusively<R>(
    job: string,
    work: (isLockHeld: IsLockHeld) => Promise<R>,
  ): Promise<R | undefined>;
}

/** Resolves to false once another instance may have started the same job, and stays false. Never throws. */
type IsLockHeld = () => Promise<boolean>;

/** The coordination of a site's instances through their common store. */
export interface SharedStore {
  readonly coordinator: InstanceCoordinator;
}

/** Runs a job here as soon as no other instance is running it. Throws `cannot_store` after `timeoutMs`. */
export async function runWhenUnlocked<R>(
  { coordinator }: SharedStore,
  job: string,
  timeoutMs: number,
  work: () => Promise<R>,
): Promise<R> {
  for (const deadline = performance.now() + timeoutMs; ;) {
    const outcome = await coordinator.runExclusively(job, async () => ({ result: await work() }));
    if (outcome) return outcome.result;
    if (performance.now() > deadline) throw cannotStore();
    await Bun.sleep(20); // oxlint-disable-line no-await-in-loop -- until the job is free
  }
}

/** The coordination of a site that is served by a single process. */
export const SINGLE_INSTANCE_COORDINATOR: InstanceCoordinator = {
  runExclusively: (_job, work) => work(async () => true),
  ...NO_CHANNEL,
};
