/** A labelled line of text that writes into a signal. */
import type { Signal } from "@preact/signals-react";
import { useSignals } from "@preact/signals-react/runtime";
import { type InputHTMLAttributes, useId } from "react";

type InputProps = Omit<InputHTMLAttributes<HTMLInputElement>, "value" | "onChange" | "id">;

/** As a native input, with its label and the signal that holds what is typed. */
export interface TextRowProps extends InputProps {
  readonly label: string;
  readonly value: Signal<string>;
}

/** Renders label and input. */
export function TextRow({ label, value, ...input }: TextRowProps) {
  useSignals();
  const id = useId();
  return (
    <div className="text-row">
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        value={value.value}
        onChange={(event) => (value.value = event.target.value)}
      />
    </div>
  );
}
