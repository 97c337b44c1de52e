/** A select field; a module of its own, since the login needs none. */
import { Field, type FieldProps } from "./Field.tsx";

type SelectFieldProps<V extends string | number> = FieldProps & {
  readonly options: readonly { readonly value: V; readonly label: string }[];
  /** Replaces the default change, if a choice has other effects. */
  readonly onChoose?: (value: V) => void;
};

/** A form field with a few choices. */
export function SelectField<V extends string | number>({
  options,
  onChoose,
  ...field
}: SelectFieldProps<V>) {
  return (
    <Field {...field}>
      {({ readOnly, ...control }, change) => (
        <select
          {...control}
          disabled={readOnly}
          onChange={({ target }) => {
            const chosen = options.find(({ value }) => String(value) === target.value);
            if (chosen) (onChoose ?? change)(chosen.value);
          }}
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
