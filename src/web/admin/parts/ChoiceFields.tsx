/** Checkboxes and radio buttons with a field's label, hint and error. */
import { Fragment, type ReactNode } from "react";
import { pickAriaAttributes, Field, type FieldProps } from "../../ui/Field.tsx";

export function CheckboxField(field: FieldProps) {
  return (
    <Field {...field} labelElement="none">
      {(control, change) => (
        <label className="checkbox">
          <input
            {...pickAriaAttributes(control)}
            type="checkbox"
            checked={control.value === true}
            disabled={control.readOnly}
            onChange={({ target }) => change(target.checked)}
          />
          {field.label}
        </label>
      )}
    </Field>
  );
}

export interface RadioOption<V> {
  readonly value: V;
  /** The accessible name. Also the visible text if `content` is undefined. */
  readonly label: string;
  readonly content?: ReactNode;
  /** Content below the option while it is chosen. */
  readonly details?: ReactNode;
}

type RadioFieldProps<V> = FieldProps & {
  readonly options: readonly RadioOption<V>[];
  readonly className?: string;
  readonly legendClass?: string;
  readonly optionClass?: string;
};

export function RadioField<V extends string>(props: RadioFieldProps<V>) {
  const { options, className, legendClass, optionClass = "checkbox", ...field } = props;
  return (
    <Field {...field} labelElement="none">
      {(control, change) => (
        <fieldset
          {...pickAriaAttributes(control)}
          role="radiogroup"
          aria-labelledby={`${control.id}-label`}
          className={className}
          disabled={control.readOnly}
        >
          <legend id={`${control.id}-label`} className={legendClass}>
            {field.label}
          </legend>
          {options.map(({ value, label, content, details }) => (
            <Fragment key={value}>
              <label className={optionClass}>
                <input
                  type="radio"
                  name={control.id}
                  aria-label={label}
                  checked={value === control.value}
                  onChange={() => change(value)}
                />
                {content ?? <span>{label}</span>}
              </label>
              {value === control.value && details}
            </Fragment>
          ))}
        </fieldset>
      )}
    </Field>
  );
}
