/** The props of the welcome's screens, and how each is saved before the next. */
import { useState } from "react";
import type { Content } from "../../../schema/index.ts";
import { useAction } from "../../ui/useAction.ts";
import { discardDraft, createDraftId } from "../data/drafts.ts";
import type { UnsentForm } from "../data/useUnsentForm.ts";

export interface StepProps {
  /** The stored hero. */
  readonly hero: Content<"hero">;
  readonly onNext: () => Promise<void>;
  readonly onBack: () => Promise<void>;
  readonly onLater: () => Promise<void>;
}

interface SaveState {
  readonly pending: boolean;
  readonly failed: string | undefined;
  /** Writes, then opens the next screen. Stays on this screen after a failure. */
  readonly save: (write: () => Promise<unknown>) => void;
  /** Opens another screen. Stays on this screen after a failure. */
  readonly go: (navigate: () => Promise<void>) => void;
}

/** Failures are shown above the buttons, since a toast would cover the buttons on phones. */
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

/** Where a screen's input is stored until the site is finished or the welcome is left. */
export const createWelcomeForm = (part: "photo" | "links"): UnsentForm => ({
  key: "welcome",
  part,
  name: "Welcome",
});

/** The dashboard can't continue the welcome's input. */
export function discardWelcome(): void {
  for (const part of ["photo", "links"] as const)
    discardDraft(createDraftId(createWelcomeForm(part)));
}

const SAVE_FAILED_MESSAGE = "Couldn't save. Check your connection and try again.";
