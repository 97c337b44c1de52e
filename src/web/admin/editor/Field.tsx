/** One field of a draft: label, counter, input, hint or error. */
import { useId } from "react";
import { clientFields } from "../../../schema/entities/check.ts";
import type { Field as Declaration } from "../../../schema/kinds/fields.ts";
import { entities, type Entity } from "../../../schema/index.ts";
import type { Draft } from "../data/useDraft.ts";
import { FieldFrame, type TextLimit } from "../../ui/FieldFrame.tsx";
import { afterPress } from "./afterPress.ts";
import { FieldInput, labelElementOf } from "./FieldInput.tsx";
import type { FieldOverrides } from "./inputProps.ts";

/** `<Field draft={hero} name="mainTitle" />` */
interface FieldProps extends FieldOverrides {
  readonly draft: Draft<any>;
  readonly name: string;
  /** Sets more than the field. */
  readonly onChange?: (value: any) => void;
}

/** A field with the input of its kind. Errors show on blur and after a refused save. */
export function Field({ draft, name, onChange, ...overrides }: FieldProps) {
  const id = `${useId()}-${name}`;
  const declaration = declarationOf(draft, name);
  const value = (draft.values as Record<string, unknown>)[name];
  const { label = declaration.label, hint = declaration.hint } = overrides;
  const error = draft.errors[name];
  return (
    <FieldFrame
      id={id}
      label={label}
      labelElement={labelElementOf(declaration)}
      hint={hint}
      error={error}
      limit={limitOf(declaration, value)}
    >
      <FieldInput
        {...overrides}
        id={id}
        label={label}
        declaration={declaration}
        value={value}
        values={draft.values as Record<string, unknown>}
        invalid={error !== undefined}
        onChange={onChange ?? ((next) => draft.set(name, next))}
        onLeave={() => afterPress(() => draft.check(name))}
      />
    </FieldFrame>
  );
}

function declarationOf(draft: Draft<any>, name: string): Declaration {
  const declaration = (
    entities[draft.key as keyof typeof entities].fields as Record<string, Declaration>
  )[name];
  if (!declaration) throw new Error(`There is no field "${name}" in "${String(draft.key)}".`);
  return declaration;
}

function limitOf({ kind, maxLength }: Declaration, value: unknown): TextLimit | undefined {
  if (!kind.isCounted || maxLength === undefined) return undefined;
  return { text: String(value ?? ""), most: maxLength, isCounted: true };
}

/** `only` names the fields and their order; `fields` overrides their declarations. */
interface EntityFormProps {
  readonly draft: Draft<any>;
  readonly only?: readonly string[];
  readonly fields?: Readonly<Record<string, FieldOverrides>>;
}

/** All fields that people fill in; `order` isn't one, since items are moved. */
export function EntityForm({ draft, only, fields = {} }: EntityFormProps) {
  return (
    <div className="fields">
      {(only ?? fieldNames(draft)).map((name) => (
        <Field key={name} draft={draft} name={name} {...fields[name]} />
      ))}
    </div>
  );
}

function fieldNames(draft: Draft<any>): string[] {
  const entity = entities[draft.key as keyof typeof entities];
  const { window } = entity as Entity;
  const place = "arrangement" in entity ? entity.arrangement?.field : undefined;
  // Each form places these fields itself (When.tsx).
  const apart = [place, window?.from, window?.until];
  return clientFields(entity.fields)
    .filter(([name, field]) => !field.kind.hasNoInput && !apart.includes(name))
    .map(([name]) => name);
}
