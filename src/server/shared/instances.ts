/** What the instances that serve one site have to do together; one that is alone does all by itself. */
import { cannotStore } from "./errors.ts";

export interface Instances {
  /**
   * Runs `work` unless another instance is at this job; returns undefined then. Who does it and dies is
   * followed by another within 30 seconds, and so is who loses the connection that keeps the others out: `work`
   * goes on meanwhile. What must not be done by two asks `isOurs` before each step, and ends when it is not.
   */
  alone<R>(job: string, work: (isOurs: IsOurs) => Promise<R>): Promise<R | undefined>;
  /** Tells the others, within milliseconds but not for certain: what only limits, and what can be asked again. */
  tell(topic: string, said: Said): void;
  /** Hears what others tell. */
  hear(topic: string, listener: (said: Said) => void): void;
  /** What all of them see at once; undefined for one that is alone, which has files of its own. */
  readonly shared?: SharedTexts;
}

/** Whether no other instance can have begun with the same job; once false it stays so. Never throws. */
type IsOurs = () => Promise<boolean>;

/** Short texts beside the data, in no archive and no restore. Both throw what the database throws. */
export interface SharedTexts {
  read(name: string): Promise<string | undefined>;
  write(name: string, text: string): Promise<void>;
}

/** What fits into a short notice. */
export type Said = readonly (string | number | null)[];

/**
 * Does a job that can't be left to another instance, once none is at it. Throws `cannot_store` when that takes
 * longer than so many milliseconds.
 */
export async function whenFree<R>(
  instances: Instances,
  job: string,
  patience: number,
  work: () => Promise<R>,
): Promise<R> {
  for (const end = performance.now() + patience; ;) {
    const done = await instances.alone(job, async () => ({ result: await work() }));
    if (done) return done.result;
    if (performance.now() > end) throw cannotStore();
    await Bun.sleep(20); // oxlint-disable-line no-await-in-loop -- until it is free
  }
}

/** Of a site that is served by one process. */
export const onlyInstance: Instances = {
  alone: (_job, work) => work(async () => true),
  tell() {},
  hear() {},
};
