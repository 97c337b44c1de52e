/** Adds questions quickly: typed one after another, or ready-made. */
import Check from "lucide-react/icons/check";
import Plus from "lucide-react/icons/plus";
import pLimit from "p-limit";
import { type FormEvent, useId, useRef, useState } from "react";
import { entities } from "../../../../schema/index.ts";
import { messagesFor } from "../../../../schema/entities/messages.ts";
import { Button } from "../../../ui/Button.tsx";
import { queryClient } from "../../data/client.ts";
import { announce } from "../../../ui/messages.ts";
import { useAction } from "../../../ui/useAction.ts";
import { useLoadedWords } from "../../../words/load.ts";
import { entityQuery, useEntity } from "../../data/useEntity.ts";
import { createItem, withToast } from "../../data/writes.ts";
import { addBeforeConsent, newStep, positionOfNewField, type StepWithFields } from "./formSteps.ts";
import {
  fieldOf,
  guessedType,
  customLabel,
  READY_QUESTIONS,
  type ReadyQuestion,
} from "./templates.ts";

/** `chosen` is the question's step; a form without steps gets one with its first question. */
interface AddQuestionProps {
  readonly formId: string;
  readonly steps: readonly StepWithFields[];
  readonly chosen: StepWithFields | undefined;
}

/** Focus remains for the next one; ready-made questions already asked are ticked. */
export function AddQuestion({ formId, steps, chosen }: AddQuestionProps) {
  const [typed, type] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const [inTurn] = useState(() => pLimit(1));
  const add = async (question: ReadyQuestion) => {
    const made = await withToast(messagesFor(entities.formFields, "create"), () =>
      inTurn(async () => {
        const position = await nextPosition(formId, chosen?.step.id);
        const body = fieldOf(question, position.step, position.order);
        return addBeforeConsent(body, position.fields);
      }),
    );
    if (made) announce(`${question.label} added`);
    return made !== undefined;
  };
  const [pending, addReady] = useAction(add);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const label = typed.trim();
    if (label === "") return input.current?.focus();
    type("");
    input.current?.focus();
    // Restored if it couldn't be added, unless the next one is being typed.
    void add({ label, fieldType: guessedType(label) }).then(
      (isAdded) => isAdded || type((next) => next || label),
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
          ref={input}
          type="text"
          placeholder="Type a question and press Enter"
          autoComplete="off"
          value={typed}
          onChange={({ target }) => type(target.value)}
        />
        <Button type="submit">
          <Plus size={16} aria-hidden="true" /> Add
        </Button>
      </form>
      <p className="quiet small mt-12 mb-16">Or choose a suggested question</p>
      <ReadyQuestions steps={steps} pending={pending} onAdd={addReady} />
    </section>
  );
}

interface ReadyQuestionsProps {
  readonly steps: readonly StepWithFields[];
  readonly pending: boolean;
  readonly onAdd: (question: ReadyQuestion) => void;
}

/** Suggested questions; those that are asked already are ticked. */
function ReadyQuestions({ steps, pending, onAdd }: ReadyQuestionsProps) {
  const usedLabels = steps.flatMap(({ fields }) => fields?.map(({ label }) => label) ?? []);
  const words = useLoadedWords(useEntity("site").value?.language ?? "en")?.words;
  const ready = READY_QUESTIONS.map((each) => ({ ...each, label: customLabel(each.label, words) }));
  return (
    <ul className="cluster">
      {ready.map((question) => {
        const isUsed = usedLabels.includes(question.label);
        const Icon = isUsed ? Check : Plus;
        return (
          <li key={question.label}>
            <button
              type="button"
              className="ui-button chip"
              aria-pressed={isUsed}
              aria-disabled={isUsed || pending || undefined}
              onClick={() => isUsed || pending || onAdd(question)}
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

/**
 * The step of a form's next question: `chosen`, else the first, which is created if there is none. Determined
 * late, since a question typed just before may have created it.
 */
async function nextPosition(formId: string, chosen: string | undefined) {
  const steps = await queryClient.fetchQuery(entityQuery("formSteps", formId));
  const step = chosen ?? steps.value[0]?.id;
  if (step === undefined) {
    const { id } = await createItem("formSteps", newStep(formId, []));
    return { step: id, order: positionOfNewField([]), fields: [] };
  }
  const fields = await queryClient.fetchQuery(entityQuery("formFields", step));
  return { step, order: positionOfNewField(fields.value), fields: fields.value };
}
