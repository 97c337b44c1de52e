/** What the screens of the welcome are given, and how each saves before the next one opens. */
import { useState } from "react";
import type { Content } from "../../../schema/index.ts";
import { failureWords } from "../data/messages.ts";
import { usePending } from "../data/usePending.ts";

export interface StepProps {
  /** As it is stored. */
  readonly hero: Content<"hero">;
  readonly onNext: () => Promise<void>;
  readonly onBack: () => Promise<void>;
  readonly onLater: () => Promise<void>;
}

/** Whether a save is under way, why the last one failed, and how to save. */
export interface Saving {
  readonly pending: boolean;
  readonly failed: string | undefined;
  /** Writes, then goes on; a failure stays. */
  readonly save: (write: () => Promise<unknown>) => Promise<void>;
}

/** What it says of a failure stands above the buttons: a toast would cover them on a phone. */
export function useSaving(onNext: () => Promise<void>): Saving {
  const [pending, run] = usePending();
  const [failed, setFailed] = useState<string>();
  const save = (write: () => Promise<unknown>) =>
    run(async () => {
      setFailed(undefined);
      try {
        await write();
        await onNext();
      } catch (error) {
        setFailed(failureWords(error, FAILED));
      }
    });
  return { pending, failed, save };
}

const FAILED = "That couldn't be saved. Check your connection, then try again.";
