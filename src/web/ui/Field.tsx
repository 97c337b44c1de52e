/** Fields of forms and drafts: label, control, and hint or error. Also text and password fields. */
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
import { createTooLongMessage } from "../../schema/core/formatNumber.ts";

export interface FieldState<T = any> {
  readonly value: T;
  readonly setValue: (value: T) => void;
  readonly error?: string | undefined;
  /** True while the value is being sent. It can't be changed meanwhile. */
  readonly isPending?: boolean;
  /** True if screen readers must announce the error immediately, since the field keeps the focus. */
  readonly isUrgent?: boolean;
}

export const createReadOnlyState = (value: string): FieldState => ({ value, setValue: () => {} });

/** A function that returns a field of the surrounding form by its name (ui/Form.tsx). */
export const FormFieldsContext = createContext<((name: string) => FieldState) | null>(null);

/** The attributes and the value that a field passes to its control. */
export interface ControlProps extends ReturnType<typeof createAriaAttributes> {
  readonly name?: string | undefined;
  readonly value: any;
  readonly readOnly: boolean;
}

/** Returns a control's ARIA attributes, for controls whose value isn't in their `value` attribute. */
export function pickAriaAttributes(control: ControlProps): ReturnType<typeof createAriaAttributes> {
  const { name: _, value: __, readOnly: ___, ...aria } = control;
  return aria;
}

interface AriaOptions {
  readonly id: string;
  /** Whether a hint or an error with the id `{id}-note` is shown. */
  readonly hasNote: boolean;
  readonly isInvalid: boolean;
  readonly isRequired?: boolean | undefined;
}

export function createAriaAttributes({ id, hasNote, isInvalid, isRequired }: AriaOptions) {
  return {
    id,
    "aria-invalid": isInvalid ? (true as const) : undefined,
    "aria-describedby": hasNote ? `${id}-note` : undefined,
    "aria-required": isRequired ? (true as const) : undefined,
  };
}

/** `name` is the field's key in the surrounding form. Fields outside of a form have `state` instead. */
type FieldStateSource =
  | { readonly name: string; readonly state?: undefined }
  | { readonly name?: undefined; readonly state: FieldState };

export type FieldProps = FieldStateSource & {
  readonly label: string;
  readonly hint?: string | undefined;
  /** The maximum number of characters. `isCounted` is explained at TextLimit. */
  readonly maxCharacters?: number | undefined;
  readonly isCounted?: boolean | undefined;
};

type AnyFieldProps = FieldProps & {
  /** The label's element: "span" with the id `{id}-label` for a group of controls, "none" if the control is labeled. */
  readonly labelElement?: "label" | "span" | "none" | undefined;
  readonly isRequired?: boolean | undefined;
  readonly children: (control: ControlProps, change: (value: any) => void) => ReactNode;
};

/** Renders any control with its label. The element with the hint or the error has the id `{id}-note`. */
export function Field(props: AnyFieldProps) {
  const {
    label,
    labelElement = "label",
    hint,
    maxCharacters,
    isCounted,
    isRequired,
    children,
  } = props;
  const id = `${useId()}-${props.name ?? "value"}`;
  const { value, setValue, isPending = false, isUrgent, ...state } = useFieldState(props);
  const limit =
    maxCharacters === undefined
      ? undefined
      : { text: String(value ?? ""), maxCharacters, isCounted };
  const error = state.error ?? (limit && findLengthProblem(limit));
  const aria = createAriaAttributes({
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
          {limit && isCountShown(limit) && (
            <span className="faint note">{`${limit.text.length} / ${limit.maxCharacters}`}</span>
          )}
        </div>
      )}
      {children({ ...aria, name: props.name, value, readOnly: isPending }, setValue)}
      <FieldNote id={`${id}-note`} hint={hint} error={error} isUrgent={isUrgent} />
    </div>
  );
}

function useFieldState({ name, state }: FieldStateSource): FieldState {
  const fields = useContext(FormFieldsContext);
  return state ?? assertDefined(fields, "form around a field")(name);
}

/** A text with its limit. A longer text isn't truncated, but refused. */
interface TextLimit {
  readonly text: string;
  readonly maxCharacters: number;
  /** Whether the counter is always shown. Default: it is shown from nine tenths of the limit on. */
  readonly isCounted?: boolean | undefined;
}

const findLengthProblem = ({ text, maxCharacters }: TextLimit): string | undefined =>
  text.trim().length > maxCharacters ? createTooLongMessage(maxCharacters) : undefined;

const isCountShown = ({ text, maxCharacters, isCounted = false }: TextLimit) =>
  isCounted || text.length > maxCharacters * 0.9;

interface FieldNoteProps {
  readonly id: string;
  readonly hint: string | undefined;
  readonly error: string | undefined;
  readonly isUrgent: boolean | undefined;
}

function FieldNote({ id, hint, error, isUrgent }: FieldNoteProps) {
  if (error)
    return (
      <p id={id} className="field-error" role={isUrgent ? "alert" : undefined}>
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

/** The error of a text that is too long, for inputs outside of a `Field`. */
export function LengthNote(limit: TextLimit) {
  const problem = findLengthProblem(limit);
  if (problem === undefined) return null;
  return (
    <p className="field-error">
      <TriangleAlert size={14} aria-hidden="true" />
      {`${problem} (${limit.text.length} / ${limit.maxCharacters})`}
    </p>
  );
}

export function splitFieldProps<P extends FieldProps>(props: P) {
  const { name, state, label, hint, maxCharacters, isCounted, ...control } = props;
  return [
    { ...({ name, state } as FieldStateSource), label, hint, maxCharacters, isCounted },
    control,
  ] as const;
}

export type FieldPropsWith<C> = FieldProps & Omit<C, keyof FieldProps | "maxLength" | "onChange">;

export function TextField(props: FieldPropsWith<ComponentProps<"input">>) {
  const [field, input] = splitFieldProps(props);
  return (
    <Field {...field}>
      {(control, change) => (
        <input {...control} {...input} onChange={({ target }) => change(target.value)} />
      )}
    </Field>
  );
}

export function PasswordField(props: FieldPropsWith<ComponentProps<"input">>) {
  const [field, input] = splitFieldProps(props);
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <Field {...field}>
      {(control, change) => (
        <span className="password">
          <input
            autoComplete="current-password"
            {...control}
            {...input}
            type={isShown ? "text" : "password"}
            onChange={({ target }) => change(target.value)}
          />
          <button
            type="button"
            className="icon-button"
            aria-label={isShown ? "Hide password" : "Show password"}
            aria-pressed={isShown}
            onClick={() => setShown(!isShown)}
          >
            <Icon size={16} aria-hidden="true" />
          </button>
        </span>
      )}
    </Field>
  );
}
