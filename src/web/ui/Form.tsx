/** Forms whose fields are sent together: values, errors by field, pending state. */
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

/** A form's values, which are in memory (`useFormValues`) or stored on the device (admin/data/useUnsentForm.ts). */
interface FormValues<V extends object> {
  readonly values: V;
  readonly setValues: (change: Partial<V>) => void;
}

/** Keeps the values in memory. They are lost when the form is unmounted. */
export function useFormValues<V extends object>(initial: V): FormValues<V> {
  const [values, setValues] = useState(initial);
  return { values, setValues: (change) => setValues((before) => ({ ...before, ...change })) };
}

/** Combines two sets of values in one form, such as texts stored on the device and a secret that must not be stored. */
export function joinFormValues<A extends object, B extends object>(
  one: FormValues<A>,
  other: FormValues<B>,
): FormValues<A & B> {
  return {
    values: { ...one.values, ...other.values },
    setValues: (change) => {
      for (const { values, setValues } of [one, other] as FormValues<any>[]) {
        const changed = Object.entries(change).filter(([name]) => name in values);
        if (changed.length > 0) setValues(Object.fromEntries(changed));
      }
    },
  };
}

interface FormOptions<V, T> {
  /** Sends the values. If it throws a CallError with messages by field, they are shown at these fields. */
  readonly save: (values: V) => Promise<T>;
  /** The message of a failure for which the server gives no reason. */
  readonly failure?: FailureMessage;
  readonly success?: string | ((result: T) => string) | undefined;
  /** The name of the field that shows failures that belong to no field. Default: a toast shows them. */
  readonly failureField?: (keyof V & string) | undefined;
}

export interface FormState<V extends object = any> extends FormValues<V> {
  readonly isPending: boolean;
  /** The errors by field. An error is removed when its field changes. All errors are removed at the next attempt. */
  readonly errors: Readonly<Record<string, string>>;
  /** Set if the server refused fields. `message` is shown if none of these fields is on the page. */
  readonly refusal: { readonly message: string } | undefined;
  /** Sends the form. `autofilledValues` are values that inputs show without having reported a change. */
  readonly submit: (autofilledValues?: Partial<V>) => void;
}

/** Example: `useForm(useFormValues({ email: "" }), { save: invite, failure: "Couldn't create the invitation" })` */
export function useForm<V extends object, T>(
  { values, setValues }: FormValues<V>,
  { save, failureField, ...messages }: FormOptions<V, T>,
): FormState<V> {
  const [errors, setErrors] = useState<FormState["errors"]>({});
  const [refusal, setRefusal] = useState<FormState["refusal"]>();
  const showFailure = (reason: string, error: unknown) => {
    const fields = error instanceof CallError ? error.body.fields : undefined;
    const fieldErrors = fields ?? (failureField && { [failureField]: reason });
    if (!fieldErrors) return false;
    setErrors(fieldErrors);
    setRefusal({ message: reason });
    return true;
  };
  const [isPending, start] = useAction(save, { ...messages, showFailure });
  return {
    values,
    setValues: (changedValues) => {
      setValues(changedValues);
      // A changed list also removes the errors of its items: "at.2" is the third item of the list "at".
      const otherErrors = Object.entries(errors).filter(
        ([name]) => !(name.replace(/\..*/, "") in changedValues),
      );
      setErrors(Object.fromEntries(otherErrors));
    },
    isPending,
    errors,
    refusal,
    submit: (autofilledValues = {}) => {
      if (Object.keys(autofilledValues).length > 0) setValues(autofilledValues);
      setErrors({});
      setRefusal(undefined);
      start({ ...values, ...autofilledValues });
    },
  };
}

interface FormProps {
  readonly form: FormState;
  readonly className?: string;
  readonly children: ReactNode;
}

const IsPendingContext = createContext(false);

/** Example: `<Form form={form}><TextField name="email" label="Email" /><SubmitButton>Invite</SubmitButton></Form>` */
export function Form({ form, className = "fields", children }: FormProps) {
  const formRef = useRef<HTMLFormElement>(null);
  const { refusal, isPending } = form;
  useLayoutEffect(() => {
    if (!refusal || isPending) return;
    const firstInvalid = formRef.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    if (firstInvalid) firstInvalid.focus();
    else toastError(refusal.message);
  }, [refusal, isPending]);
  return (
    <form
      ref={formRef}
      className={className}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        form.submit(readAutofilledValues(event.currentTarget, form.values));
      }}
    >
      <FormFieldsContext value={(name) => createFieldState(form, name)}>
        <IsPendingContext value={isPending}>{children}</IsPendingContext>
      </FormFieldsContext>
    </form>
  );
}

const createFieldState = ({ values, errors, isPending, setValues }: FormState, name: string) => ({
  value: values[name],
  setValue: (value: unknown) => setValues({ [name]: value }),
  error: errors[name],
  isPending,
  // The first invalid field gets the focus. If it already has the focus, only an alert announces its error.
  isUrgent: Object.keys(errors)[0] === name,
});

/** Returns values that inputs show without having reported a change, as after autofill by a password manager. */
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

/** The types of inputs that password managers fill in. */
const TEXT_INPUT_TYPES = new Set(["text", "email", "password", "tel", "url"]);

interface SubmitButtonProps extends ButtonProps {
  /** The label while the form is being sent. Default: the usual label. */
  readonly pendingLabel?: string;
}

export function SubmitButton({ pendingLabel, children, ...button }: SubmitButtonProps) {
  const isPending = useContext(IsPendingContext);
  return (
    <Button variant="primary" {...button} type="submit" isPending={isPending}>
      {isPending ? (pendingLabel ?? children) : children}
    </Button>
  );
}
