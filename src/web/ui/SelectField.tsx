/** A field with a list of options. It isn't in Field.tsx, so that the login doesn't load it. */
import { Field, type FieldProps } from "./Field.tsx";

interface Option {
  readonly value: string | number;
  readonly label: string;
}

export const Options = ({ options }: { readonly options: readonly Option[] }) =>
  options.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));

type SelectFieldProps<V extends string | number> = FieldProps & {
  readonly options: readonly { readonly value: V; readonly label: string }[];
  /** Called with the chosen value, which is then not stored in the field. */
  readonly onChoose?: (value: V) => void;
};

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
            const chosenOption = options.find(({ value }) => String(value) === target.value);
            if (chosenOption) (onChoose ?? change)(chosenOption.value);
          }}
        >
          <Options options={options} />
        </select>
      )}
    </Field>
  );
}
