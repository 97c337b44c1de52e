/** What travels with a plain post besides the step shown (see `advancePlain`). */
import { useSignals } from "@preact/signals-react/runtime";
import type { PlainEnquiryState } from "../../../schema/enquiry.ts";
import type { EnquiryState } from "./enquiryState.ts";
import type { LoadedEnquiry } from "./loadEnquiry.ts";

/** The step shown is `index`. */
export interface HiddenAnswersProps {
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
