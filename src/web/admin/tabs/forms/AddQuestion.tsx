/** Adds questions, which are typed one after another or chosen from suggestions. */
import Check from "lucide-react/icons/check";
import Plus from "lucide-react/icons/plus";
import pLimit from "p-limit";
import { type FormEvent, useId, useRef, useState } from "react";
import { entities } from "../../../../schema/index.ts";
import { getWriteMessages } from "../../../../schema/entities/messages.ts";
import { Button } from "../../../ui/Button.tsx";
import { queryClient } from "../../data/client.ts";
import { announce } from "../../../ui/messages.ts";
import { useAction } from "../../../ui/useAction.ts";
import { useLoadedWords } from "../../../words/loadSiteWords.ts";
import { createEntityQuery, useEntity } from "../../data/useEntity.ts";
import { createItem, runWithToast } from "../../data/entityWrites.ts";
import {
  addFieldBeforeConsent,
  createStepBody,
  getNextFieldPosition,
  type StepWithFields,
} from "./formSteps.ts";
import {
  createSuggestedFieldBody,
  guessFieldType,
  translateLabel,
  SUGGESTED_QUESTIONS,
  type SuggestedQuestion,
} from "./templates.ts";

/** `selectedStep` gets the questions. If the form has no steps, the first question creates a step. */
interface AddQuestionProps {
  readonly formId: string;
  readonly steps: readonly StepWithFields[];
  readonly selectedStep: StepWithFields | undefined;
}

export function AddQuestion({ formId, steps, selectedStep }: AddQuestionProps) {
  const [label, setLabel] = useState("");
  const inputRef = useRef<HTMLInputElement>(null);
  const id = useId();
  const [runInSequence] = useState(() => pLimit(1));
  const add = async (question: SuggestedQuestion) => {
    const created = await runWithToast(getWriteMessages(entities.formFields, "create"), () =>
      runInSequence(async () => {
        const { stepId, fields } = await findTargetStep(formId, selectedStep?.step.id);
        const body = createSuggestedFieldBody(question, stepId, getNextFieldPosition(fields));
        return addFieldBeforeConsent(body, fields);
      }),
    );
    if (created) announce(`${question.label} added`);
    return created !== undefined;
  };
  const [isPending, addSuggested] = useAction(add);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const question = label.trim();
    if (question === "") return inputRef.current?.focus();
    setLabel("");
    inputRef.current?.focus();
    // If adding fails, the text returns to the input, unless the next question is being typed.
    void add({ label: question, fieldType: guessFieldType(question) }).then(
      (isAdded) => isAdded || setLabel((next) => next || question),
    );
  };
  return (
    <section className="card card-body" aria-label="Add questions">
      <form className="add-question-line row cluster" onSubmit={submit} noValidate>
        <label htmlFor={id} className="full-width small medium">
          Add a question
        </label>
        <input
          id={id}
          className="grow"
          ref={inputRef}
          type="text"
          placeholder="Type a question and press Enter"
          autoComplete="off"
          value={label}
          onChange={({ target }) => setLabel(target.value)}
        />
        <Button type="submit">
          <Plus size={16} aria-hidden="true" /> Add
        </Button>
      </form>
      <p className="quiet small mt-12 mb-16">Or choose a suggested question</p>
      <SuggestedQuestions steps={steps} isPending={isPending} onAdd={addSuggested} />
    </section>
  );
}

interface SuggestedQuestionsProps {
  readonly steps: readonly StepWithFields[];
  readonly isPending: boolean;
  readonly onAdd: (question: SuggestedQuestion) => void;
}

function SuggestedQuestions({ steps, isPending, onAdd }: SuggestedQuestionsProps) {
  const usedLabels = steps.flatMap(({ fields }) => fields?.map(({ label }) => label) ?? []);
  const words = useLoadedWords(useEntity("site").value?.language ?? "en")?.words;
  const translatedQuestions = SUGGESTED_QUESTIONS.map((each) => ({
    ...each,
    label: translateLabel(each.label, words),
  }));
  return (
    <ul className="cluster">
      {translatedQuestions.map((question) => {
        const isUsed = usedLabels.includes(question.label);
        const Icon = isUsed ? Check : Plus;
        return (
          <li key={question.label}>
            <button
              type="button"
              className="ui-button chip"
              aria-pressed={isUsed}
              aria-disabled={isUsed || isPending || undefined}
              onClick={() => isUsed || isPending || onAdd(question)}
            >
              <Icon size={14} className="faint" aria-hidden="true" />
              {question.label}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** Reads the form again, since a question added just before may have created its first step. */
async function findTargetStep(formId: string, chosenStepId: string | undefined) {
  const steps = await queryClient.fetchQuery(createEntityQuery("formSteps", formId));
  const stepId = chosenStepId ?? steps.value[0]?.id;
  if (stepId === undefined) {
    const { id } = await createItem("formSteps", createStepBody(formId, []));
    return { stepId: id, fields: [] };
  }
  const { value: fields } = await queryClient.fetchQuery(createEntityQuery("formFields", stepId));
  return { stepId, fields };
}
