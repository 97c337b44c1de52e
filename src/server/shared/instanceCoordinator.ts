/** The coordination between the instances (server processes) of one site. */
import { cannotStore } from "./errors.ts";

/** Sends messages between the instances of a site, such as the counters of rate limits. */
export interface Channel {
  /** Notifies the other instances within milliseconds. A message can get lost, so correctness must not depend on it. */
  publish(topic: string, payload: Payload): void;
  subscribe(topic: string, listener: (payload: Payload) => void): void;
}

export type Payload = readonly (string | number | null)[];

/** The channel of a site that is served by a single process. */
export const NO_CHANNEL: Channel = {
  publish() {},
  subscribe() {},
};

export interface InstanceCoordinator extends Channel {
  /**
   * Runs `work`; returns undefined if another instance is running this job. If an instance loses the connection that
   * holds the lock, another one takes over within 30 seconds, while `work` may still be running. So `work` must call
   * `isLockHeld` before each step that must not run twice, and stop if it resolves to false.
   */
  runExclusively<R>(
    job: string,
    work: (isLockHeld: IsLockHeld) => Promise<R>,
  ): Promise<R | undefined>;
}

/** Resolves to false once another instance may have started the same job. Never throws. */
type IsLockHeld = () => Promise<boolean>;

export interface SharedStore {
  readonly coordinator: InstanceCoordinator;
}

/** Runs a job as soon as no other instance is running the same job. Throws `cannot_store` after `timeoutMs`. */
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

export const SINGLE_INSTANCE_COORDINATOR: InstanceCoordinator = {
  runExclusively: (_job, work) => work(async () => true),
  ...NO_CHANNEL,
};
