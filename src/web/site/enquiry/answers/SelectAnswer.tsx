/** An answer picked from a list. */
import { useSignals } from "@preact/signals-react/runtime";
import { parseOptions } from "../../../../schema/questions.ts";
import { type AnswerProps, textOf } from "./answerProps.ts";

/** Renders the field's options in a native list. */
export function SelectAnswer(props: AnswerProps) {
  return <OptionList {...props} options={parseOptions(props.field.options)} />;
}

/** A native list of `options` with an empty first choice. */
export function OptionList(props: AnswerProps & { options: readonly string[] }) {
  useSignals();
  const { field, state, control, options } = props;
  return (
    <select
      {...control}
      className="answer"
      data-answer
      value={textOf(state, field.id)}
      onChange={(event) => state.answer(field.id, event.target.value)}
    >
      <option value="">{field.placeholder || "Select an option"}</option>
      {options.map((option) => (
        <option key={option}>{option}</option>
      ))}
    </select>
  );
}
