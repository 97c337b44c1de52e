/** A switch. */
import type { ReactNode } from "react";
import { pickAriaAttributes, type Control, Field, type FieldProps } from "../../ui/Field.tsx";

interface ToggleProps extends Partial<Omit<Control, "name" | "value" | "readOnly">> {
  readonly label: ReactNode;
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
}

export function Toggle({ label, on, onChange, ...input }: ToggleProps) {
  return (
    <label className="switch quiet small medium">
      <input
        {...input}
        type="checkbox"
        role="switch"
        checked={on}
        aria-checked={on}
        onChange={({ target }) => onChange(target.checked)}
      />
      {label}
    </label>
  );
}

export function ToggleField(field: FieldProps) {
  return (
    <Field {...field} labelElement="none">
      {(control, change) => (
        <Toggle
          {...pickAriaAttributes(control)}
          label={field.label}
          on={control.value === true}
          onChange={change}
        />
      )}
    </Field>
  );
}
