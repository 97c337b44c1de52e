/** Where the visitor is: dots, "Step N of M", the step's own words. */
import { useSignals } from "@preact/signals-react/runtime";
import type { PlainEnquiryState } from "../../../schema/enquiry.ts";
import { Button } from "../../ui/Button.tsx";
import type { EnquiryState } from "./enquiryState.ts";
import type { LoadedEnquiry, LoadedStep } from "./loadEnquiry.ts";

// What travels with a plain post besides the step shown (see `advancePlain`).

/** The step shown is `index`. */
interface HiddenAnswersProps {
  readonly enquiry: LoadedEnquiry;
  readonly state: EnquiryState;
  readonly index: number;
  readonly plain: PlainEnquiryState | null;
  readonly ready: boolean;
}

/** Renders the form, the place in it, and the answers of the other steps as hidden inputs. */
export function HiddenAnswers({ enquiry, state, index, plain, ready }: HiddenAnswersProps) {
  useSignals();
  const others = enquiry.steps.filter((_, at) => at !== index).flatMap(({ fields }) => fields);
  return (
    <>
      <input type="hidden" name="formId" value={enquiry.form.id} />
      <input type="hidden" name="step" value={index} />
      {plain?.started && <input type="hidden" name="started" value={plain.started} />}
      {others.flatMap(({ id }) =>
        [state.answers.value[id] ?? []]
          .flat()
          .map((answer) => <input key={id + answer} type="hidden" name={id} value={answer} />),
      )}
      {!ready && (
        <div className="off-screen" aria-hidden="true">
          <label>
            Website
            <input type="text" name="website" tabIndex={-1} autoComplete="off" />
          </label>
        </div>
      )}
      <DefaultAction isLast={index === enquiry.steps.length - 1} />
    </>
  );
}

/** Enter presses the first button of a form: that must be the way forward, not Previous. */
function DefaultAction({ isLast }: { isLast: boolean }) {
  return (
    <button
      type="submit"
      name="action"
      value={isLast ? "submit" : "next"}
      className="ui-hidden"
      tabIndex={-1}
      aria-hidden="true"
    />
  );
}

// The ways on: Previous, hidden on step 1; Next, on the last step Submit (spec section 4).

/** `index` counts from 0. */
interface StepActionsProps {
  readonly index: number;
  readonly count: number;
  readonly sending: boolean;
}

/** Renders the buttons of a step. */
export function StepActions({ index, count, sending }: StepActionsProps) {
  const isLast = index === count - 1;
  return (
    <div className="enquiry-actions">
      {index > 0 && (
        <Button
          type="submit"
          name="action"
          value="previous"
          variant="quiet"
          className="enquiry-previous"
          disabled={sending}
        >
          Previous
        </Button>
      )}
      <Button
        type="submit"
        name="action"
        value={isLast ? "submit" : "next"}
        variant="primary"
        className="enquiry-forward"
        pending={sending}
      >
        {isLast ? (sending ? "Submitting..." : "Submit") : "Next"}
      </Button>
    </div>
  );
}

/** `index` counts from 0. */
interface StepHeadProps {
  readonly step: LoadedStep["step"];
  readonly index: number;
  readonly count: number;
}

/** Renders the head of a step; its heading takes focus when the step changes. */
export function StepHead({ step, index, count }: StepHeadProps) {
  return (
    <header className="enquiry-head">
      <div className="enquiry-progress">
        <span className="enquiry-dots" aria-hidden="true">
          {Array.from({ length: count }, (_, at) => (
            <span key={at} data-current={at === index || undefined} />
          ))}
        </span>
        <p className="enquiry-count" aria-live="polite">
          {`Step ${index + 1} of ${count}`}
        </p>
      </div>
      <h3 tabIndex={-1} data-heading>
        {step.title}
      </h3>
      {step.subtitle && <p>{step.subtitle}</p>}
      {step.description && <p>{step.description}</p>}
    </header>
  );
}
