/** A checkbox, and radio buttons, as fields. */
import { Fragment, type ReactNode } from "react";
import { ariaAttributes, Field, type FieldProps } from "../../ui/Field.tsx";

/** A choice between yes and no that is sent with others, or confirms something. */
export function CheckboxField(field: FieldProps) {
  return (
    <Field {...field} labelElement="none">
      {(control, change) => (
        <label className="checkbox">
          <input
            {...ariaAttributes(control)}
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
  /** Names it; `content` is shown instead. */
  readonly label: string;
  readonly content?: ReactNode;
  /** Shown below once it is chosen. */
  readonly more?: ReactNode;
}

type RadioFieldProps<V> = FieldProps & {
  readonly options: readonly RadioOption<V>[];
  readonly className?: string;
  readonly legendClass?: string;
  readonly optionClass?: string;
  readonly inputClass?: string;
};

/** One of a few choices, all of them shown. */
export function RadioField<V extends string>(props: RadioFieldProps<V>) {
  const { options, className, legendClass, optionClass = "checkbox", inputClass, ...field } = props;
  return (
    <Field {...field} labelElement="none">
      {(control, change) => (
        <fieldset
          {...ariaAttributes(control)}
          role="radiogroup"
          aria-labelledby={`${control.id}-label`}
          className={className}
          disabled={control.readOnly}
        >
          <legend id={`${control.id}-label`} className={legendClass}>
            {field.label}
          </legend>
          {options.map(({ value, label, content, more }) => (
            <Fragment key={value}>
              <label className={optionClass}>
                <input
                  type="radio"
                  name={control.id}
                  className={inputClass}
                  aria-label={label}
                  checked={value === control.value}
                  onChange={() => change(value)}
                />
                {content ?? <span>{label}</span>}
              </label>
              {value === control.value && more}
            </Fragment>
          ))}
        </fieldset>
      )}
    </Field>
  );
}
