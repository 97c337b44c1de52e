/** The frame of an input: label and counter above, hint or error below; and the password input. */
import Eye from "lucide-react/icons/eye";
import EyeOff from "lucide-react/icons/eye-off";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import { type ComponentProps, type ReactNode, useState } from "react";
import { tooLongMessage } from "../../schema/core/formatNumber.ts";

/** What a control's ARIA attributes follow from. */
interface AriaOptions {
  readonly id: string;
  readonly hint?: string | undefined;
  readonly isInvalid: boolean;
  readonly isRequired?: boolean | undefined;
}

/** A control's id and ARIA attributes, in a form or a draft alike; the note they point at is always there. */
export function ariaOf({ id, hint, isInvalid, isRequired }: AriaOptions) {
  return {
    id,
    "aria-invalid": isInvalid ? (true as const) : undefined,
    "aria-describedby": isInvalid || hint ? `${id}-note` : undefined,
    "aria-required": isRequired ? (true as const) : undefined,
  };
}

/** `id` is the input's; its hint or error has the id `{id}-note` (`ariaOf`). */
export interface FieldFrameProps {
  readonly id: string;
  readonly label: string;
  /** "span" for groups of controls, which refer to `{id}-label`; "none" if the input shows it. */
  readonly labelElement?: "label" | "span" | "none" | undefined;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  /** Announces the error immediately, for a field that keeps the focus. */
  readonly urgent?: boolean | undefined;
  readonly limit?: TextLimit | undefined;
  readonly children: ReactNode;
}

/** A typed text and the most characters it may have. It isn't cut: a longer one stays whole, and is refused. */
export interface TextLimit {
  readonly text: string;
  readonly most: number;
  /** True: counted from the first character, else from nine tenths on. */
  readonly isCounted?: boolean | undefined;
}

/** The message for a text that is too long; undefined for any other. */
export const lengthFault = ({ text, most }: TextLimit): string | undefined =>
  text.trim().length > most ? tooLongMessage(most) : undefined;

export function FieldFrame(props: FieldFrameProps) {
  const { id, label, labelElement = "label", hint, urgent, limit, children } = props;
  const error = props.error ?? (limit && lengthFault(limit));
  return (
    <div className="field" data-invalid={error ? true : undefined}>
      {labelElement !== "none" && (
        <div className="field-head justify-between">
          {labelElement === "label" ? (
            <label htmlFor={id}>{label}</label>
          ) : (
            <span id={`${id}-label`} className="field-label">
              {label}
            </span>
          )}
          {limit && isShown(limit) && (
            <span className="faint note tabular">{`${limit.text.length} / ${limit.most}`}</span>
          )}
        </div>
      )}
      {children}
      <FieldNote id={`${id}-note`} hint={hint} error={error} urgent={urgent} />
    </div>
  );
}

const isShown = ({ text, most, isCounted = false }: TextLimit) =>
  isCounted || text.length > most * 0.9;

interface FieldNoteProps {
  readonly id: string;
  readonly hint: string | undefined;
  readonly error: string | undefined;
  readonly urgent: boolean | undefined;
}

function FieldNote({ id, hint, error, urgent }: FieldNoteProps) {
  if (error)
    return (
      <p id={id} className="field-error" role={urgent ? "alert" : undefined}>
        <TriangleAlert size={14} aria-hidden="true" />
        {error}
      </p>
    );
  return hint ? (
    <p id={id} className="field-hint">
      {hint}
    </p>
  ) : null;
}

/** Says that a text without a frame of its own is too long, and how long it is. */
export function LengthNote(limit: TextLimit) {
  const fault = lengthFault(limit);
  if (fault === undefined) return null;
  return (
    <p className="field-error">
      <TriangleAlert size={14} aria-hidden="true" />
      {`${fault} (${limit.text.length} / ${limit.most})`}
    </p>
  );
}

/** Like a native input, but `onChange` gets the text. */
interface PasswordInputProps extends Omit<ComponentProps<"input">, "onChange" | "type"> {
  readonly onChange: (password: string) => void;
}

/** A password input with a button that shows the characters. */
export function PasswordInput({ onChange, ...rest }: PasswordInputProps) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <span className="password">
      <input
        autoComplete="current-password"
        {...rest}
        type={shown ? "text" : "password"}
        onChange={({ target }) => onChange(target.value)}
      />
      <button
        type="button"
        className="icon-button"
        aria-label={shown ? "Hide password" : "Show password"}
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
      >
        <Icon size={16} aria-hidden="true" />
      </button>
    </span>
  );
}
