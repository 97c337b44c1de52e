/** Answers that are typed: one line, or several. */
import { useSignals } from "@preact/signals-react/runtime";
import { MAX_TEXT_ANSWER, MAX_TEXTAREA_ANSWER } from "../../../../schema/questions.ts";
import { type AnswerProps, textOf } from "./answerProps.ts";
import { inputHints } from "./inputHints.ts";

/** Renders one line for text, email, phone and number. */
export function TextAnswer({ field, state, control }: AnswerProps) {
  useSignals();
  return (
    <input
      {...control}
      {...inputHints(field)}
      className="answer"
      data-answer
      placeholder={field.placeholder || undefined}
      maxLength={MAX_TEXT_ANSWER}
      value={textOf(state, field.id)}
      onChange={(event) => state.answer(field.id, event.target.value)}
    />
  );
}

/** Renders four rows (spec section 5). */
export function LongTextAnswer({ field, state, control }: AnswerProps) {
  useSignals();
  return (
    <textarea
      {...control}
      className="answer"
      data-answer
      rows={4}
      placeholder={field.placeholder || undefined}
      maxLength={MAX_TEXTAREA_ANSWER}
      value={textOf(state, field.id)}
      onChange={(event) => state.answer(field.id, event.target.value)}
    />
  );
}
