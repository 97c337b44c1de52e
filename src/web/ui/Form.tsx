/** Forms that are sent as a whole: their values, errors by field, and pending state. */
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  useContext,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { CallFailed } from "../shared/api.ts";
import { assertDefined } from "../../schema/core/assertDefined.ts";
import { Button, type ButtonProps } from "./Button.tsx";
import {
  ariaOf,
  FieldFrame,
  type FieldFrameProps,
  lengthFault,
  PasswordInput,
} from "./FieldFrame.tsx";
import { type Failure, toastError } from "./messages.ts";
import { useAction } from "./useAction.ts";

/** Where the values are: in memory (`useValues`) or on the device (admin/data/useUnsentForm.ts). */
interface Values<V extends object> {
  readonly values: V;
  readonly set: (change: Partial<V>) => void;
}

/** Values that last as long as the form is shown. */
export function useValues<V extends object>(initial: V): Values<V> {
  const [values, setValues] = useState(initial);
  return { values, set: (change) => setValues((before) => ({ ...before, ...change })) };
}

interface FormOptions<V, T> {
  /** Sends the values. Throws CallFailed, whose messages by field are shown at these fields. */
  readonly save: (values: V) => Promise<T>;
  /** Shown when it fails without a reason from the server. */
  readonly failure?: Failure;
  readonly success?: string | ((done: T) => string) | undefined;
  /** The field for failures that name none; by default a toast shows them. */
  readonly failsAt?: (keyof V & string) | undefined;
}

/** A form's state; `Form` renders it. */
export interface FormState<V extends object = any> extends Values<V> {
  readonly id: string;
  readonly pending: boolean;
  /** By field name; each disappears when its field changes, all with the next try. */
  readonly errors: Readonly<Record<string, string>>;
  /** The last try failed at fields; `message` is shown if none of those is. */
  readonly refused: { readonly message: string } | undefined;
  /** With the values that are shown and weren't reported. */
  readonly send: (filled?: Partial<V>) => void;
}

/** `const form = useForm(useValues({ email: "" }), { save: invite, failure: "Couldn't create the invitation." })` */
export function useForm<V extends object, T>(
  { values, set }: Values<V>,
  { save, failsAt, ...messages }: FormOptions<V, T>,
): FormState<V> {
  const [errors, setErrors] = useState<FormState["errors"]>({});
  const [refused, setRefused] = useState<FormState["refused"]>();
  const show = (reason: string, error: unknown) => {
    const fields = error instanceof CallFailed ? error.body.fields : undefined;
    const shown = fields ?? (failsAt && { [failsAt]: reason });
    if (!shown) return false;
    setErrors(shown);
    setRefused({ message: reason });
    return true;
  };
  const [pending, start] = useAction(save, { ...messages, show });
  return {
    id: useId(),
    values,
    set: (change) => {
      set(change);
      // "at.2" belongs to the list "at".
      const others = Object.entries(errors).filter(
        ([name]) => !(name.replace(/\..*/, "") in change),
      );
      setErrors(Object.fromEntries(others));
    },
    pending,
    errors,
    refused,
    send: (filled = {}) => {
      if (Object.keys(filled).length > 0) set(filled);
      setErrors({});
      setRefused(undefined);
      start({ ...values, ...filled });
    },
  };
}

const Context = createContext<FormState | null>(null);

const useFormAround = (): FormState => assertDefined(useContext(Context), "form around a field");

interface FormProps {
  readonly of: FormState;
  readonly className?: string;
  readonly children: ReactNode;
}

/** `<Form of={form}><TextField name="email" label="Their email" /><Submit>Invite</Submit></Form>` */
export function Form({ of: form, className = "fields", children }: FormProps) {
  const element = useRef<HTMLFormElement>(null);
  const { refused, pending } = form;
  useLayoutEffect(() => {
    if (!refused || pending) return;
    const first = element.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    if (first) first.focus();
    else toastError(refused.message);
  }, [refused, pending]);
  return (
    <form
      ref={element}
      className={className}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        form.send(filledIn(event.currentTarget, form.values));
      }}
    >
      <Context value={form}>{children}</Context>
    </form>
  );
}

/** Texts that a password manager filled in without an event, by field. */
function filledIn(element: HTMLFormElement, values: object): Record<string, string> {
  const texts = Object.entries(values).filter(([, value]) => typeof value === "string");
  return Object.fromEntries(
    texts.flatMap(([name, value]) => {
      const input = element.elements.namedItem(name);
      const isText = input instanceof HTMLInputElement && TEXT_INPUTS.has(input.type);
      return isText && input.value !== value ? [[name, input.value]] : [];
    }),
  );
}

/** Those that password managers fill in. */
const TEXT_INPUTS = new Set(["text", "email", "password", "tel", "url"]);

/** The props that connect a control to its form. */
interface Control extends ReturnType<typeof ariaOf> {
  readonly name: string;
  readonly value: any;
  readonly readOnly: boolean;
}

export interface FieldProps extends Pick<FieldFrameProps, "label" | "hint"> {
  /** The key of its value and of its error. */
  readonly name: string;
  /** The most characters of its text; `isCounted` as in `TextLimit`. */
  readonly most?: number | undefined;
  readonly isCounted?: boolean | undefined;
  readonly children: (control: Control, change: (value: unknown) => void) => ReactNode;
}

/** Any control, with its label, hint and error. */
export function Field({ name, most, isCounted, children, ...frame }: FieldProps) {
  const { id: form, values, errors, pending, set } = useFormAround();
  const id = `${form}-${name}`;
  const limit =
    most === undefined ? undefined : { text: String(values[name] ?? ""), most, isCounted };
  const error = errors[name] ?? (limit && lengthFault(limit));
  const control = {
    ...ariaOf({ id, hint: frame.hint, isInvalid: error !== undefined }),
    name,
    value: values[name],
    readOnly: pending,
  };
  return (
    // If a field keeps the focus, nothing else announces its error.
    <FieldFrame
      id={id}
      {...frame}
      limit={limit}
      error={error}
      urgent={Object.keys(errors)[0] === name}
    >
      {children(control, (value) => set({ [name]: value }))}
    </FieldFrame>
  );
}

type Framed = Omit<FieldProps, "children">;

/** A line of text. */
export function TextField({
  name,
  label,
  hint,
  most,
  isCounted,
  ...input
}: Framed & Omit<ComponentProps<"input">, "name" | "maxLength">) {
  return (
    <Field name={name} label={label} hint={hint} most={most} isCounted={isCounted}>
      {(control, change) => (
        <input {...control} {...input} onChange={({ target }) => change(target.value)} />
      )}
    </Field>
  );
}

/** A password or another secret, which can be shown. */
export function PasswordField({
  name,
  label,
  hint,
  ...input
}: Framed & Omit<ComponentProps<typeof PasswordInput>, "name" | "onChange">) {
  return (
    <Field name={name} label={label} hint={hint}>
      {(control, change) => <PasswordInput {...control} {...input} onChange={change} />}
    </Field>
  );
}

interface SubmitProps extends ButtonProps {
  /** The label while the form is being sent; by default the same. */
  readonly pendingLabel?: string;
}

/** The submit button of the surrounding form. */
export function Submit({ pendingLabel, children, ...button }: SubmitProps) {
  const { pending } = useFormAround();
  return (
    <Button variant="primary" {...button} type="submit" pending={pending}>
      {pending ? (pendingLabel ?? children) : children}
    </Button>
  );
}
