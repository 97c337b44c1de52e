/** Forms that are sent as a whole: their values, errors by field, and pending state. */
import {
  createContext,
  type ReactNode,
  useContext,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { CallError } from "../shared/api.ts";
import { Button, type ButtonProps } from "./Button.tsx";
import { FormFieldsContext } from "./Field.tsx";
import { type FailureMessage, toastError } from "./messages.ts";
import { useAction } from "./useAction.ts";

/** The storage of the values: in memory (`useFormValues`) or on the device (admin/data/useUnsentForm.ts). */
interface FormValues<V extends object> {
  readonly values: V;
  readonly set: (change: Partial<V>) => void;
}

/** Values that last as long as the form is shown. */
export function useFormValues<V extends object>(initial: V): FormValues<V> {
  const [values, setValues] = useState(initial);
  return { values, set: (change) => setValues((before) => ({ ...before, ...change })) };
}

/**
 * The values of two places as those of one form, such as texts stored on the device and a secret that isn't.
 */
export function joinFormValues<A extends object, B extends object>(
  one: FormValues<A>,
  other: FormValues<B>,
): FormValues<A & B> {
  return {
    values: { ...one.values, ...other.values },
    set: (change) => {
      for (const { values, set } of [one, other] as FormValues<any>[]) {
        const changed = Object.entries(change).filter(([name]) => name in values);
        if (changed.length > 0) set(Object.fromEntries(changed));
      }
    },
  };
}

interface FormOptions<V, T> {
  /** Sends the values. Throws CallError, whose messages by field are shown at these fields. */
  readonly save: (values: V) => Promise<T>;
  /** Shown when it fails without a reason from the server. */
  readonly failure?: FailureMessage;
  readonly success?: string | ((done: T) => string) | undefined;
  /** The field for failures that name none; by default a toast shows them. */
  readonly failureField?: (keyof V & string) | undefined;
}

/** A form's state; `Form` renders it. */
export interface FormState<V extends object = any> extends FormValues<V> {
  readonly pending: boolean;
  /** By field name; each disappears when its field changes, all with the next try. */
  readonly errors: Readonly<Record<string, string>>;
  /** The last try failed at fields; `message` is shown if none of those is. */
  readonly refusal: { readonly message: string } | undefined;
  /** With the values that are shown and weren't reported. */
  readonly submit: (filled?: Partial<V>) => void;
}

/** `const form = useForm(useFormValues({ email: "" }), { save: invite, failure: "Couldn't create the invitation" })` */
export function useForm<V extends object, T>(
  { values, set }: FormValues<V>,
  { save, failureField, ...messages }: FormOptions<V, T>,
): FormState<V> {
  const [errors, setErrors] = useState<FormState["errors"]>({});
  const [refused, setRefused] = useState<FormState["refusal"]>();
  const show = (reason: string, error: unknown) => {
    const fields = error instanceof CallError ? error.body.fields : undefined;
    const shown = fields ?? (failureField && { [failureField]: reason });
    if (!shown) return false;
    setErrors(shown);
    setRefused({ message: reason });
    return true;
  };
  const [pending, start] = useAction(save, { ...messages, show });
  return {
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
    refusal: refused,
    submit: (filled = {}) => {
      if (Object.keys(filled).length > 0) set(filled);
      setErrors({});
      setRefused(undefined);
      start({ ...values, ...filled });
    },
  };
}

interface FormProps {
  readonly form: FormState;
  readonly className?: string;
  readonly children: ReactNode;
}

const IsPendingContext = createContext(false);

/** `<Form form={form}><TextField name="email" label="Their email" /><Submit>Invite</Submit></Form>` */
export function Form({ form, className = "fields", children }: FormProps) {
  const element = useRef<HTMLFormElement>(null);
  const { refusal, pending } = form;
  useLayoutEffect(() => {
    if (!refusal || pending) return;
    const first = element.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    if (first) first.focus();
    else toastError(refusal.message);
  }, [refusal, pending]);
  return (
    <form
      ref={element}
      className={className}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        form.submit(readAutofilledValues(event.currentTarget, form.values));
      }}
    >
      <FormFieldsContext value={(name) => fieldState(form, name)}>
        <IsPendingContext value={pending}>{children}</IsPendingContext>
      </FormFieldsContext>
    </form>
  );
}

const fieldState = ({ values, errors, pending, set }: FormState, name: string) => ({
  value: values[name],
  change: (value: unknown) => set({ [name]: value }),
  error: errors[name],
  pending,
  // If a field retains the focus, nothing else announces its error.
  urgent: Object.keys(errors)[0] === name,
});

/** Texts that a password manager filled in without an event, by field. */
function readAutofilledValues(element: HTMLFormElement, values: object): Record<string, string> {
  const texts = Object.entries(values).filter(([, value]) => typeof value === "string");
  return Object.fromEntries(
    texts.flatMap(([name, value]) => {
      const input = element.elements.namedItem(name);
      const isText = input instanceof HTMLInputElement && TEXT_INPUT_TYPES.has(input.type);
      return isText && input.value !== value ? [[name, input.value]] : [];
    }),
  );
}

/** Those that password managers fill in. */
const TEXT_INPUT_TYPES = new Set(["text", "email", "password", "tel", "url"]);

interface SubmitButtonProps extends ButtonProps {
  /** The label while the form is being sent; by default the same. */
  readonly pendingLabel?: string;
}

export function SubmitButton({ pendingLabel, children, ...button }: SubmitButtonProps) {
  const pending = useContext(IsPendingContext);
  return (
    <Button variant="primary" {...button} type="submit" pending={pending}>
      {pending ? (pendingLabel ?? children) : children}
    </Button>
  );
}
