/** A switch with a label, for use alone or as a form field. */
import type { ReactNode } from "react";
import { pickAriaAttributes, type ControlProps, Field, type FieldProps } from "../../ui/Field.tsx";

interface ToggleProps extends Partial<Omit<ControlProps, "name" | "value" | "readOnly">> {
  readonly label: ReactNode;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

export function Toggle({ label, isOn, onChange, ...input }: ToggleProps) {
  return (
    <label className="switch quiet small medium">
      <input
        {...input}
        type="checkbox"
        role="switch"
        checked={isOn}
        aria-checked={isOn}
        onChange={({ target }) => onChange(target.checked)}
      />
      {label}
    </label>
  );
}

type ToggleFieldProps = FieldProps & {
  /** True: only screen readers find the label. */
  readonly isLabelHidden?: boolean;
};

export function ToggleField({ isLabelHidden = false, ...field }: ToggleFieldProps) {
  const { label } = field;
  return (
    <Field {...field} labelElement="none">
      {(control, change) => (
        <Toggle
          {...pickAriaAttributes(control)}
          label={isLabelHidden ? <span className="visually-hidden">{label}</span> : label}
          isOn={control.value === true}
          onChange={change}
        />
      )}
    </Field>
  );
}
