/** The parts around a step's questions: progress, hidden answers, buttons. */
import type {
  EnquiryStep,
  EnquiryTree,
  NoScriptState,
  VisibleStep,
} from "../../../schema/enquiry/enquiry.ts";
import { Button } from "../../ui/Button.tsx";
import { fillPlaceholders } from "../../words/placeholders.ts";
import { TextLine } from "../parts/TextLine.tsx";
import { useEnquiryState } from "./useEnquiry.ts";
import { useFormWords } from "./formWords.ts";

/** `index` counts from 0. */
interface StepDotsProps {
  readonly steps: readonly EnquiryStep[];
  readonly index: number;
}

interface StepHeadProps extends StepDotsProps {
  readonly step: EnquiryStep;
}

export function StepHead({ step, steps, index }: StepHeadProps) {
  const { form: words, lang, pagePath } = useFormWords();
  return (
    <header className="enquiry-head">
      <div className="enquiry-progress">
        <StepDots steps={steps} index={index} />
        <p className="enquiry-count" aria-live="polite" lang={lang}>
          {fillPlaceholders(words.step, { number: index + 1, count: steps.length })}
        </p>
      </div>
      <h3
        // Each step gets a new heading element, since React can't change a text that a translator has replaced.
        key={step.id}
        className="display"
        tabIndex={-1}
        data-heading
        aria-level={pagePath ? 2 : undefined}
        dir="auto"
      >
        <TextLine text={step.title} />
      </h3>
      {step.subtitle && <p dir="auto">{step.subtitle}</p>}
      {step.description && <p dir="auto">{step.description}</p>}
    </header>
  );
}

/** The maximum number of steps for which the names are shown below the dots. */
const MAX_NAMED_STEPS = 5;

function StepDots({ steps, index }: StepDotsProps) {
  const hasNames = steps.length > 1 && steps.length <= MAX_NAMED_STEPS;
  return (
    <span className="enquiry-dots" data-named={hasNames ? "" : undefined} aria-hidden="true">
      {steps.map(({ id, title }, position) => (
        <span
          key={id}
          data-current={position === index || undefined}
          data-done={position < index || undefined}
          data-name={hasNames ? `${position + 1} ${title}` : undefined}
        />
      ))}
    </span>
  );
}

/** `isReady` is true once scripts run. `isLast` is true if no step follows with the answers so far. */
interface HiddenAnswersProps {
  readonly form: EnquiryTree;
  readonly step: VisibleStep;
  readonly isLast: boolean;
  readonly noScriptState: NoScriptState | null;
  readonly isReady: boolean;
}

/** The inputs of a post without scripts (see `advanceNoScriptForm`), and a honeypot that only robots fill in. */
export function HiddenAnswers(props: HiddenAnswersProps) {
  const { form, step, isLast, noScriptState, isReady } = props;
  const state = useEnquiryState();
  const { form: words, lang } = useFormWords();
  const hiddenFields = form.steps
    .flatMap(({ fields }) => fields)
    .filter((field) => !step.fields.includes(field));
  return (
    <>
      <input type="hidden" name="formId" value={form.id} />
      <input type="hidden" name="step" value={step.index} />
      {noScriptState?.startToken && (
        <input type="hidden" name="started" value={noScriptState.startToken} />
      )}
      {hiddenFields.flatMap(({ id }) =>
        [state.answers.value[id] ?? []]
          .flat()
          .map((answer) => <input key={id + answer} type="hidden" name={id} value={answer} />),
      )}
      {!isReady && (
        <div className="off-screen" aria-hidden="true">
          <label lang={lang}>
            {words.website}
            <input type="text" name="website" tabIndex={-1} autoComplete="off" />
          </label>
        </div>
      )}
      {/* Enter activates a form's first button. Without this invisible button, it would activate Previous. */}
      <button
        type="submit"
        name="action"
        value={isLast ? "submit" : "next"}
        className="visually-hidden"
        tabIndex={-1}
        aria-hidden="true"
      />
    </>
  );
}

interface StepActionsProps {
  readonly index: number;
  readonly count: number;
  readonly isSending: boolean;
  /** True while a pressed button waits for stored answers to load. */
  readonly isWaiting: boolean;
}

/** The buttons Previous and Next. On the last step, Submit replaces Next (specification, section 4.3). */
export function StepActions({ index, count, isSending, isWaiting }: StepActionsProps) {
  const isLast = index === count - 1;
  const { form: words, lang } = useFormWords();
  return (
    <div className="enquiry-actions" lang={lang}>
      {index > 0 && (
        <Button
          type="submit"
          name="action"
          value="previous"
          variant="quiet"
          className="enquiry-previous"
          disabled={isSending || isWaiting}
        >
          {words.previous}
        </Button>
      )}
      <Button
        type="submit"
        name="action"
        value={isLast ? "submit" : "next"}
        variant="primary"
        className="enquiry-forward"
        isPending={isSending || isWaiting}
      >
        {isLast ? (isSending ? words.submitting : words.submit) : words.next}
      </Button>
    </div>
  );
}
