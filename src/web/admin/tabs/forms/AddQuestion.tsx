/** The quick way to questions: typed one after the other, or ready ones a press away. */
import Check from "lucide-react/icons/check";
import Plus from "lucide-react/icons/plus";
import { type FormEvent, useId, useRef, useState } from "react";
import { entities } from "../../../../schema/index.ts";
import { messagesFor } from "../../../../schema/messages.ts";
import { Button } from "../../../ui/Button.tsx";
import { announce } from "../../data/messages.ts";
import { usePending } from "../../data/usePending.ts";
import { createItem, withToast } from "../../data/writes.ts";
import { newStep, type StepWithFields } from "./formSteps.ts";
import { fieldOf, guessedType, READY_QUESTIONS, type ReadyQuestion } from "./templates.ts";

/** `chosen` is the step that gets the question; a form without steps gets its first one with it. */
interface AddQuestionProps {
  readonly formId: string;
  readonly steps: readonly StepWithFields[];
  readonly chosen: StepWithFields | undefined;
}

/** The cursor stays for the next one; a ready question that the form asks already is ticked. */
export function AddQuestion({ formId, steps, chosen }: AddQuestionProps) {
  const [typed, type] = useState("");
  const [pending, run] = usePending();
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const asked = steps.flatMap(({ fields }) => fields?.map(({ label }) => label) ?? []);
  const add = async (question: ReadyQuestion) => {
    const made = await withToast(messagesFor(entities.formFields, "create"), async () => {
      const step = chosen?.step.id ?? (await createItem("formSteps", newStep(formId, 0))).id;
      return createItem("formFields", fieldOf(question, step, chosen?.fields?.length ?? 0));
    });
    if (made) announce(`${question.label} added`);
    return made !== undefined;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const label = typed.trim();
    if (label === "") return input.current?.focus();
    type("");
    void run(async () => {
      // Given back when it couldn't be added, unless the next one is being typed already.
      if (!(await add({ label, fieldType: guessedType(label) }))) type((next) => next || label);
      input.current?.focus();
    });
  };
  return (
    <section className="card add-question" aria-label="Add questions">
      <form className="add-question-line" onSubmit={submit} noValidate>
        <label htmlFor={id}>Add a question</label>
        <input
          id={id}
          ref={input}
          type="text"
          maxLength={200}
          placeholder="Type a question, press Enter"
          autoComplete="off"
          value={typed}
          onChange={({ target }) => type(target.value)}
        />
        <Button type="submit" pending={pending}>
          <Plus size={16} aria-hidden="true" /> Add
        </Button>
      </form>
      <p className="quiet add-question-or">Or tap one that is ready</p>
      <ul className="chips">
        {READY_QUESTIONS.map((question) => {
          const isAsked = asked.includes(question.label);
          return (
            <li key={question.label}>
              <button
                type="button"
                className="chip"
                aria-pressed={isAsked}
                aria-disabled={isAsked || pending || undefined}
                onClick={() => isAsked || pending || void run(() => add(question))}
              >
                {isAsked ? (
                  <Check size={14} aria-hidden="true" />
                ) : (
                  <Plus size={14} aria-hidden="true" />
                )}
                {question.label}
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
