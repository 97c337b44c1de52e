/** The condition of a step or a question: the controls in its form, and the line in its row. */
import {
  findConditionQuestions,
  countNewlyUnconditionalQuestions,
  findMissingReference,
} from "../../../../schema/enquiry/conditions.ts";
import type { Condition } from "../../../../schema/kinds/fields.ts";
import type { Item } from "../../../../schema/index.ts";
import { parseOptions } from "../../../../schema/enquiry/questions.ts";
import { joinList } from "../../../shared/joinList.ts";
import { SelectField } from "../../../ui/SelectField.tsx";
import type { Draft } from "../../data/useDraft.ts";
import { Fold } from "../../editor/Fold.tsx";
import { CheckboxField } from "../../parts/ChoiceFields.tsx";
import type { StepWithFields } from "./formSteps.ts";

/** `steps` are all steps of the form. `stepIndex` is the edited step, or the step of the edited question. */
interface ConditionEditorProps {
  readonly draft: Draft<"formSteps"> | Draft<"formFields">;
  readonly steps: readonly StepWithFields[];
  readonly stepIndex: number;
}

/** The first step can't have a condition, since no question precedes it. An existing condition is still shown. */
export function ConditionEditor({ draft, steps, stepIndex }: ConditionEditorProps) {
  const questions = findConditionQuestions(steps, stepIndex);
  const { showIf } = draft.values;
  if (stepIndex === 0 && !showIf) return null;
  const chosenQuestion = questions.find((question) => question.id === showIf?.fieldId);
  const error = draft.errors["showIf"];
  const setCondition = (condition: Condition | null) =>
    (draft as Draft).setField("showIf", condition);
  return (
    <Fold
      title="Show only if"
      note={showIf ? describeBrokenCondition(showIf, questions) : "Always shown"}
      isOpen={showIf !== null || error !== undefined}
    >
      <div className="fields condition">
        <SelectField
          state={{
            value: chosenQuestion?.id ?? "",
            setValue: (fieldId) => setCondition(fieldId === "" ? null : { fieldId, values: [] }),
            error,
          }}
          label="Show only if"
          hint={questions.length === 0 ? NO_QUESTIONS_HINT : undefined}
          options={[
            { value: "", label: "Always shown" },
            ...questions.map((question) => ({ value: question.id, label: question.label })),
          ]}
        />
        {showIf && chosenQuestion && (
          <ChoiceCheckboxes condition={showIf} question={chosenQuestion} onChange={setCondition} />
        )}
        {showIf && <ConditionNote condition={showIf} questions={questions} />}
      </div>
    </Fold>
  );
}

const NO_QUESTIONS_HINT = "Add a dropdown, radio buttons or checkboxes to an earlier step first.";

type Question = Item<"formFields">;

interface ChoiceCheckboxesProps {
  readonly condition: Condition;
  readonly question: Question;
  readonly onChange: (condition: Condition) => void;
}

/** The first change drops the condition's values that are no longer options. */
function ChoiceCheckboxes({
  condition: { fieldId, values },
  question,
  onChange,
}: ChoiceCheckboxesProps) {
  const options = parseOptions(question.options);
  const toggleOption = (option: string, isChecked: boolean) =>
    onChange({
      fieldId,
      values: options.filter((each) => (each === option ? isChecked : values.includes(each))),
    });
  return (
    <fieldset className="condition-options gap-16 cluster">
      <legend className="visually-hidden">{`Options of ${question.label}`}</legend>
      {options.map((option) => (
        <CheckboxField
          key={option}
          state={{
            value: values.includes(option),
            setValue: (isTicked) => toggleOption(option, isTicked),
          }}
          label={option}
        />
      ))}
    </fieldset>
  );
}

interface ConditionNoteProps {
  readonly condition: Condition;
  readonly questions: readonly Question[];
}

function ConditionNote({ condition, questions }: ConditionNoteProps) {
  const problem = describeBrokenCondition(condition, questions);
  if (condition.values.length === 0) return null;
  return problem ? (
    <p
      className="condition-broken small"
      data-tone="warn"
    >{`The condition ${problem}, so this is always shown. Choose another condition.`}</p>
  ) : (
    <p className="field-hint">{`${describeCondition(condition, questions)}.`}</p>
  );
}

export function ConditionSummary({ condition, questions }: ConditionNoteProps) {
  const problem = describeBrokenCondition(condition, questions);
  if (problem)
    return (
      <span className="condition-broken small" data-tone="warn">
        {problem}
      </span>
    );
  return <span>{describeCondition(condition, questions)}</span>;
}

/** Returns a text such as `Shown only if "What is it about?" is Coaching or Booking`. */
function describeCondition({ fieldId, values }: Condition, questions: readonly Question[]): string {
  const label = questions.find(({ id }) => id === fieldId)?.label ?? "";
  return `Shown only if "${label}" is ${joinList(values, { type: "disjunction" })}`;
}

/** Returns why a condition is broken; undefined if it isn't. */
function describeBrokenCondition(
  condition: Condition,
  questions: readonly Question[],
): string | undefined {
  const missingReference = findMissingReference(condition, questions);
  if (missingReference === undefined || condition.values.length === 0) return undefined;
  return missingReference === "choice"
    ? "depends on a deleted option"
    : "depends on a field that is no longer available";
}

/** Returns a message about questions that lost their condition; undefined if none did. */
export function describeLostConditions(
  before: readonly StepWithFields[],
  after: readonly StepWithFields[],
): string | undefined {
  const count = countNewlyUnconditionalQuestions(before, after);
  if (count === 0) return undefined;
  return count === 1
    ? "1 field lost its condition and is now always shown."
    : `${count} fields lost their conditions and are now always shown.`;
}
