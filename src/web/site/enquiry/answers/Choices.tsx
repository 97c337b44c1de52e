/** Answers that are ticked: one of several (radio), or any of them (checkbox). */
import { useSignals } from "@preact/signals-react/runtime";
import { parseOptions } from "../../../../schema/questions.ts";
import { type AnswerProps, listOf, textOf } from "./answerProps.ts";

/** Renders one tick for each option. */
export function Choices({ field, state, control }: AnswerProps) {
  useSignals();
  const several = field.fieldType === "checkbox";
  const chosen = several ? listOf(state, field.id) : [textOf(state, field.id)];
  const choose = (option: string, ticked: boolean) =>
    state.answer(field.id, several ? withOption(chosen, option, ticked) : option);
  // Several boxes are required as a group, which only the words can say.
  const { "aria-required": _, id, ...rest } = control;
  return (
    <div className="choices">
      {parseOptions(field.options).map((option, at) => (
        <label key={option} className="choice">
          <input
            {...rest}
            type={several ? "checkbox" : "radio"}
            id={at === 0 ? id : undefined}
            value={option}
            data-answer={at === 0 || undefined}
            checked={chosen.includes(option)}
            onChange={(event) => choose(option, event.target.checked)}
          />
          <span>{option}</span>
        </label>
      ))}
    </div>
  );
}

function withOption(chosen: readonly string[], option: string, ticked: boolean): string[] {
  const others = chosen.filter((each) => each !== option);
  return ticked ? [...others, option] : others;
}
