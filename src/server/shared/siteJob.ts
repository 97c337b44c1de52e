/** Recurring work for the whole site: in rounds, by one instance at a time. */
import type { Instances } from "./instances.ts";
import { inRounds, type Rounds } from "./rounds.ts";

/**
 * False once a round should end: the site is stopping, or another instance may have started the job. Call it before
 * each step that must not run twice. Never throws.
 */
export type GoesOn = () => Promise<boolean>;

interface SiteJob {
  readonly instances: Instances;
  /** Two instances never run rounds of the same name at once. */
  readonly name: string;
  /** In milliseconds; rounds also run whenever it is woken. */
  readonly every: number;
  readonly round: (goesOn: GoesOn) => Promise<void>;
  /** Called with the error of a round that failed; the next round continues the work. */
  readonly failed: (error: unknown) => void;
  /** Called instead of a round when another instance is running one. */
  readonly elsewhere?: () => Promise<void> | void;
}

/** The first round starts when it is first woken. */
export function siteJob({ instances, name, every, round, failed, elsewhere }: SiteJob): Rounds {
  const rounds = inRounds(every, async () => {
    try {
      const isDone = await instances.alone(name, async (isOurs) => {
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
