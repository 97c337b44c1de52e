/** Props of the welcome's screens, and how each saves before the next. */
import { useState } from "react";
import type { Content } from "../../../schema/index.ts";
import { useAction } from "../../ui/useAction.ts";
import { discardDraft, createDraftId } from "../data/drafts.ts";
import type { UnsentForm } from "../data/useUnsentForm.ts";

export interface StepProps {
  /** As it is stored. */
  readonly hero: Content<"hero">;
  readonly onNext: () => Promise<void>;
  readonly onBack: () => Promise<void>;
  readonly onLater: () => Promise<void>;
}

/** Whether a save is under way, why the last failed, and how to save. */
interface SaveState {
  readonly pending: boolean;
  readonly failed: string | undefined;
  /** Writes, then continues; remains here on failure. */
  readonly save: (write: () => Promise<unknown>) => void;
  /** Opens another screen; remains here on failure. */
  readonly go: (navigate: () => Promise<void>) => void;
}

/** Failures show above the buttons: a toast would cover them on a phone. */
export function useStepSave(onNext: () => Promise<void>): SaveState {
  const [failed, setFailed] = useState<string>();
  const [pending, go] = useAction(
    (navigate: () => Promise<void>) => {
      setFailed(undefined);
      return navigate();
    },
    { failure: SAVE_FAILED_MESSAGE, show: setFailed },
  );
  const save = (write: () => Promise<unknown>) =>
    go(async () => {
      await write();
      await onNext();
    });
  return { pending, failed, save, go };
}

/** The storage of a screen's input until the site is finished or the welcome is left. */
export const createWelcomeForm = (part: "photo" | "links"): UnsentForm => ({
  key: "welcome",
  part,
  name: "Welcome",
});

/** Discards it: the dashboard can't continue it. */
export function discardWelcome(): void {
  for (const part of ["photo", "links"] as const)
    discardDraft(createDraftId(createWelcomeForm(part)));
}

const SAVE_FAILED_MESSAGE = "Couldn't save. Check your connection and try again.";
