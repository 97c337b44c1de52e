/** A field of a form or a draft: label and counter above its control, hint or error below; and text inputs. */
import Eye from "lucide-react/icons/eye";
import EyeOff from "lucide-react/icons/eye-off";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  useContext,
  useId,
  useState,
} from "react";
import { assertDefined } from "../../schema/core/assertDefined.ts";
import { tooLongMessage } from "../../schema/core/formatNumber.ts";

/** A value being edited. */
export interface FieldState<T = any> {
  readonly value: T;
  readonly change: (value: T) => void;
  readonly error?: string | undefined;
  /** It is being sent, and can't be changed. */
  readonly pending?: boolean;
  /** Announces the error immediately, for a field that retains the focus. */
  readonly urgent?: boolean;
}

/** The state of a value that is only shown. */
export const readOnly = (value: string): FieldState => ({ value, change: () => {} });

/** The fields of the surrounding form, by name (`Form`). */
export const FormFields = createContext<((name: string) => FieldState) | null>(null);

/** The attributes from a field for its control, to be spread on it. */
export interface Control extends ReturnType<typeof ariaOf> {
  readonly name?: string | undefined;
  readonly value: any;
  readonly readOnly: boolean;
}

/** Only its id and ARIA attributes, for a control whose value isn't its `value`. */
export function ariaAttributes(control: Control): ReturnType<typeof ariaOf> {
  const { name: _, value: __, readOnly: ___, ...aria } = control;
  return aria;
}

/** The state that a control's ARIA attributes follow from. */
interface AriaOptions {
  readonly id: string;
  /** Its hint or error is there, with the id `{id}-note`. */
  readonly hasNote: boolean;
  readonly isInvalid: boolean;
  readonly isRequired?: boolean | undefined;
}

/** A control's id and ARIA attributes. */
export function ariaOf({ id, hasNote, isInvalid, isRequired }: AriaOptions) {
  return {
    id,
    "aria-invalid": isInvalid ? (true as const) : undefined,
    "aria-describedby": hasNote ? `${id}-note` : undefined,
    "aria-required": isRequired ? (true as const) : undefined,
  };
}

/** `name` is its key in the surrounding form; `state` is the value of a field that is in none. */
type StateSource =
  | { readonly name: string; readonly state?: undefined }
  | { readonly name?: undefined; readonly state: FieldState };

export type FieldProps = StateSource & {
  readonly label: string;
  readonly hint?: string | undefined;
  /** The most characters of its text; `isCounted` as in `TextLimit`. */
  readonly most?: number | undefined;
  readonly isCounted?: boolean | undefined;
};

type AnyFieldProps = FieldProps & {
  /** "span" for groups of controls, which refer to `{id}-label`; "none" if the control shows it. */
  readonly labelElement?: "label" | "span" | "none" | undefined;
  readonly isRequired?: boolean | undefined;
  readonly children: (control: Control, change: (value: any) => void) => ReactNode;
};

/** Any control in its frame. Its hint or error has the id `{id}-note`. */
export function Field(props: AnyFieldProps) {
  const { label, labelElement = "label", hint, most, isCounted, isRequired, children } = props;
  const id = `${useId()}-${props.name ?? "value"}`;
  const { value, change, pending = false, urgent, ...state } = useFieldState(props);
  const limit = most === undefined ? undefined : { text: String(value ?? ""), most, isCounted };
  const error = state.error ?? (limit && lengthFault(limit));
  const aria = ariaOf({
    id,
    hasNote: Boolean(error) || Boolean(hint),
    isInvalid: Boolean(error),
    isRequired,
  });
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
      {children({ ...aria, name: props.name, value, readOnly: pending }, change)}
      <FieldNote id={`${id}-note`} hint={hint} error={error} urgent={urgent} />
    </div>
  );
}

function useFieldState({ name, state }: StateSource): FieldState {
  const fields = useContext(FormFields);
  return state ?? assertDefined(fields, "form around a field")(name);
}

/** A typed text and the most characters it may have. It isn't truncated: a longer one is refused as a whole. */
interface TextLimit {
  readonly text: string;
  readonly most: number;
  /** True: counted from the first character, else from nine tenths on. */
  readonly isCounted?: boolean | undefined;
}

/** The message for a text that is too long; undefined for any other. */
const lengthFault = ({ text, most }: TextLimit): string | undefined =>
  text.trim().length > most ? tooLongMessage(most) : undefined;

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

/** The props of a field, and those of its control. */
export function splitProps<P extends FieldProps>(props: P) {
  const { name, state, label, hint, most, isCounted, ...control } = props;
  return [{ ...({ name, state } as StateSource), label, hint, most, isCounted }, control] as const;
}

/** Those of a native control, and its field's. */
export type FieldWith<C> = FieldProps & Omit<C, keyof FieldProps | "maxLength" | "onChange">;

export function TextField(props: FieldWith<ComponentProps<"input">>) {
  const [field, input] = splitProps(props);
  return (
    <Field {...field}>
      {(control, change) => (
        <input {...control} {...input} onChange={({ target }) => change(target.value)} />
      )}
    </Field>
  );
}

/** A password or another secret, with a button that shows the characters. */
export function PasswordField(props: FieldWith<ComponentProps<"input">>) {
  const [field, input] = splitProps(props);
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <Field {...field}>
      {(control, change) => (
        <span className="password">
          <input
            autoComplete="current-password"
            {...control}
            {...input}
            type={shown ? "text" : "password"}
            onChange={({ target }) => change(target.value)}
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
      )}
    </Field>
  );
}
