/** A choice in a form; apart from it, since who logs in chooses nothing. */
import { Field, type FieldProps } from "./Form.tsx";

interface SelectFieldProps extends Omit<FieldProps, "children"> {
  readonly options: readonly { readonly value: string; readonly label: string }[];
  /** Takes what is chosen, where more follows from it. */
  readonly onChoose?: (value: string) => void;
}

/** A field of a form: one of a few. */
export function SelectField({ options, onChoose, ...field }: SelectFieldProps) {
  return (
    <Field {...field}>
      {({ readOnly, ...control }, change) => (
        <select
          {...control}
          disabled={readOnly}
          onChange={({ target }) => (onChoose ?? change)(target.value)}
        >
          {options.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
