/** The frame of the welcome assistant's screens, and the functions with which they save their input. */
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { Content } from "../../../schema/index.ts";
import { Button } from "../../ui/Button.tsx";
import { PreviewFrame } from "../editor/PreviewFrame.tsx";
import { useIsWide } from "../parts/widths.ts";
import { BrandLogo } from "../frame/StandalonePage.tsx";
import { useAction } from "../../ui/useAction.ts";
import { discardDraft, createDraftId } from "../data/drafts.ts";
import type { UnsentForm } from "../data/useUnsentForm.ts";

export const STEP_COUNT = 4;

interface WelcomeFrameProps {
  /** Counts from 1. The last screen asks no question and has the number STEP_COUNT + 1. */
  readonly step: number;
  readonly title: string;
  readonly note: ReactNode;
  readonly hero: Content<"hero">;
  readonly styles?: Partial<Content<"styles">> | undefined;
  readonly hasPreviewOnPhone?: boolean;
  readonly footer: ReactNode;
  readonly children?: ReactNode;
}

export function WelcomeFrame(props: WelcomeFrameProps) {
  const { step, title, note, hero, styles, hasPreviewOnPhone = false, footer, children } = props;
  const isWide = useIsWide();
  const headingRef = useRef<HTMLHeadingElement>(null);
  // Screen readers read the question of the new screen.
  useEffect(() => headingRef.current?.focus({ preventScroll: true }), []);
  const previewProps = { section: "hero", content: { hero }, styles, isFullScreen: true } as const;
  return (
    <main className="welcome" data-step={step}>
      <div className="welcome-form">
        <header className="welcome-head gap-12 justify-between row">
          <BrandLogo />
          <span className="faint">
            {step > STEP_COUNT ? "Done" : `Step ${step} of ${STEP_COUNT}`}
          </span>
        </header>
        {hasPreviewOnPhone && !isWide && (
          <PreviewFrame {...previewProps} device="card" hasCaption={false} />
        )}
        <div className="welcome-progress row gap-4" aria-hidden="true">
          {Array.from({ length: STEP_COUNT }, (_, index) => (
            <span key={index} data-done={index < step || undefined} />
          ))}
        </div>
        <div className="welcome-body grow">
          <h1 ref={headingRef} tabIndex={-1}>
            {title}
          </h1>
          <p className="quiet">{note}</p>
          {children}
        </div>
        <footer className="welcome-foot">{footer}</footer>
      </div>
      {isWide && (
        <aside className="welcome-preview" aria-label="Your site">
          <PreviewFrame {...previewProps} device="desktop" hasCaption={false} />
          <PreviewFrame {...previewProps} device="phone" hasCaption={false} />
          <p className="faint small">This is your site. It updates as you type.</p>
        </aside>
      )}
    </main>
  );
}

interface StepButtonsProps {
  readonly backLabel?: string;
  readonly onBack: () => void;
  readonly nextLabel?: string;
  readonly onNext: () => void;
  /** True if Next is called "Skip for now" and isn't the primary action. */
  readonly isSkipping?: boolean;
  readonly isPending: boolean;
  /** The message about a failed save. Undefined if the last save succeeded. */
  readonly failure: string | undefined;
  readonly isDisabled?: boolean;
}

export function StepButtons({
  backLabel = "Back",
  onBack,
  nextLabel = "Next",
  onNext,
  isPending,
  failure,
  isDisabled = false,
  isSkipping = false,
}: StepButtonsProps) {
  const [isGoingBack, setGoingBack] = useState(false);
  if (isGoingBack && !isPending) setGoingBack(false);
  const [isLeaving, isSaving] = [isPending && isGoingBack, isPending && !isGoingBack];
  return (
    <>
      {failure !== undefined && (
        <p className="row" data-tone="bad" role="alert">
          <TriangleAlert size={16} aria-hidden="true" /> {failure}
        </p>
      )}
      <Button
        variant="quiet"
        onClick={() => {
          setGoingBack(true);
          onBack();
        }}
        isPending={isLeaving}
        disabled={isSaving}
      >
        {backLabel}
      </Button>
      <Button
        variant={isSkipping ? "neutral" : "primary"}
        onClick={() => onNext()}
        isPending={isSaving}
        disabled={isDisabled || isLeaving}
      >
        {isSaving ? "Saving..." : nextLabel}
      </Button>
    </>
  );
}

export interface StepProps {
  readonly hero: Content<"hero">;
  readonly onNext: () => Promise<void>;
  readonly onBack: () => Promise<void>;
  readonly onLeave: () => Promise<void>;
}

/**
 * `go` opens another screen; `save` saves and opens the next one. A failure is shown above the buttons, since a toast
 * would cover them on phones.
 */
export function useStepSave(onNext: () => Promise<void>) {
  const [failure, setFailure] = useState<string>();
  const [isPending, go] = useAction(
    (navigate: () => Promise<void>) => {
      setFailure(undefined);
      return navigate();
    },
    { failure: SAVE_FAILED_MESSAGE, showFailure: setFailure },
  );
  const save = (write: () => Promise<unknown>) =>
    go(async () => {
      await write();
      await onNext();
    });
  return { isPending, failure, save, go };
}

/** The draft of a screen's input, stored until the site is finished or the owner leaves the welcome assistant. */
export const createWelcomeForm = (part: "photo" | "links"): UnsentForm => ({
  key: "welcome",
  part,
  label: "Welcome",
});

/** Deletes the stored input, since the dashboard has no form that could show it. */
export function discardWelcomeInput(): void {
  for (const part of ["photo", "links"] as const)
    discardDraft(createDraftId(createWelcomeForm(part)));
}

const SAVE_FAILED_MESSAGE = "Couldn't save. Check your connection and try again.";
