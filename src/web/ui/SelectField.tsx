/** A select field; a module of its own, since the login needs none. */
import { Field, type FieldProps } from "./Form.tsx";

interface SelectFieldProps extends Omit<FieldProps, "children"> {
  readonly options: readonly { readonly value: string; readonly label: string }[];
  /** Replaces the default change, if a choice has other effects. */
  readonly onChoose?: (value: string) => void;
}

/** A form field with a few choices. */
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
