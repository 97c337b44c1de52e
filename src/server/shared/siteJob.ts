/** What is to be done for the whole site now and then: in rounds, by one instance at a time. */
import type { Instances } from "./instances.ts";
import { inRounds, type Rounds } from "./rounds.ts";

/**
 * False once a round is to end: the site stops, or another instance may have begun with the same job. Asked before
 * each step that two must not both do. Never throws.
 */
export type GoesOn = () => Promise<boolean>;

interface SiteJob {
  readonly instances: Instances;
  /** Two instances are never in a round of the same name. */
  readonly name: string;
  /** In milliseconds; besides, whenever it is woken. */
  readonly every: number;
  readonly round: (goesOn: GoesOn) => Promise<void>;
  /** Told why a round came to no end; what is left is for the next one. */
  readonly failed: (error: unknown) => void;
  /** Instead of a round, where another instance is at it. */
  readonly elsewhere?: () => Promise<void> | void;
}

/** The first round comes with the first waking. */
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
