/** A form field of a draft: label, counter, input, and hint or error. */
import { getClientFields } from "../../../schema/entities/check.ts";
import { DISPLAY_PERIOD_FIELDS } from "../../../schema/entities/displayPeriod.ts";
import type { Field as Declaration } from "../../../schema/kinds/fields.ts";
import { entities, type Entity } from "../../../schema/index.ts";
import { assertDefined } from "../../../schema/core/assertDefined.ts";
import type { Draft } from "../data/useDraft.ts";
import { Field as LabeledField, type FieldState } from "../../ui/Field.tsx";
import { runAfterPress } from "./afterPress.ts";
import { FieldInput, getLabelElement } from "./FieldInput.tsx";
import type { FieldOverrides } from "./inputProps.ts";

/** `<Field draft={hero} name="mainTitle" />` */
interface FieldProps extends FieldOverrides {
  readonly draft: Draft<any>;
  readonly name: string;
}

/** Shows errors when the field loses focus and after a refused save. */
export function Field({ draft, name, onChange, ...overrides }: FieldProps) {
  const declaration = getDeclaration(draft, name);
  const { label = declaration.label, hint = declaration.hint, ...input } = overrides;
  const { kind, maxLength, required } = declaration;
  return (
    <LabeledField
      state={createFieldState(draft, name)}
      label={label}
      labelElement={getLabelElement(declaration)}
      hint={hint}
      maxCharacters={kind.hasCounter ? maxLength : undefined}
      isCounted
      isRequired={required}
    >
      {(control, change) => (
        <FieldInput
          {...input}
          control={control}
          label={label}
          declaration={declaration}
          values={draft.values as Record<string, unknown>}
          onChange={onChange ?? change}
          onBlur={() => runAfterPress(() => draft.checkField(name))}
        />
      )}
    </LabeledField>
  );
}

/** Creates a field's state for a custom control. */
export const createFieldState = (draft: Draft<any>, name: string): FieldState => ({
  value: (draft.values as Record<string, unknown>)[name],
  setValue: (value) => draft.setField(name, value),
  error: draft.errors[name],
});

function getDeclaration(draft: Draft<any>, name: string): Declaration {
  const { fields }: Entity = entities[draft.entityKey as keyof typeof entities];
  return assertDefined(fields[name], `field ${name} of ${String(draft.entityKey)}`);
}

/** `fieldNames` selects and orders the fields; `fields` overrides their declarations. */
interface EntityFormProps {
  readonly draft: Draft<any>;
  readonly fieldNames?: readonly string[];
  readonly fields?: Readonly<Record<string, FieldOverrides>>;
}

export function EntityForm({ draft, fieldNames, fields = {} }: EntityFormProps) {
  return (
    <div className="fields">
      {(fieldNames ?? findFieldNames(draft)).map((name) => (
        <Field key={name} draft={draft} name={name} {...fields[name]} />
      ))}
    </div>
  );
}

/** Returns the names of a form's fields. The order field is left out, since users move items instead. */
export function findFieldNames(draft: Draft<any>): string[] {
  const entity = entities[draft.entityKey as keyof typeof entities];
  const { tab } = entity as Entity;
  const orderField = "arrangement" in entity ? entity.arrangement?.field : undefined;
  // DisplayPeriodFold.tsx shows the display period. The order field is shown only if `formRows` contains it.
  const excludedOrderField = tab?.formRows?.flat().includes(orderField ?? "")
    ? undefined
    : orderField;
  const excluded = [excludedOrderField, ...DISPLAY_PERIOD_FIELDS];
  return getClientFields(entity.fields)
    .filter(([name, field]) => !field.kind.hasNoInput && !excluded.includes(name))
    .map(([name]) => name);
}
