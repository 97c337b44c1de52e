/** The steps of a form with the fields of each. */
import { useQueries } from "@tanstack/react-query";
import type { Item } from "../../../../schema/index.ts";
import { discardDraft, drafts } from "../../data/drafts.ts";
import { entityQuery, useEntity } from "../../data/useEntity.ts";

// What the writes of a form's parts send (spec section 7).

/** PUT /api/forms/{id}. The redirect address goes along as it is: it is not edited here. */
export function formBody(form: Item<"forms">) {
  const { title, subtitle, description, isActive, thankYouMessage, redirectUrl } = form;
  return { title, subtitle, description, isActive, thankYouMessage, redirectUrl };
}

/** PUT /api/form-steps/{id}. */
export function stepBody({ title, subtitle, description, isActive }: Item<"formSteps">) {
  return { title, subtitle, description, isActive };
}

/** PUT /api/form-fields/{id}. */
export function fieldBody(field: Item<"formFields">) {
  const { fieldType, label, adminLabel, placeholder, isRequired, options } = field;
  return { fieldType, label, adminLabel, placeholder, isRequired, options };
}

/** POST /api/forms: the form that comes as number `place`, from 1 (spec section 4). */
export function newForm(place: number) {
  return {
    name: `Form ${place}`,
    title: "New Form",
    subtitle: "Enter your details below",
    isActive: true,
  };
}

/** POST /api/form-steps: a step after `count` others (spec section 4). */
export function newStep(formId: string, count: number) {
  return { formId, title: `Step ${count + 1}`, stepOrder: count + 1, isActive: true };
}

/** POST /api/form-fields: a field after `count` others (spec section 4). */
export function newField(stepId: string, count: number) {
  return {
    stepId,
    fieldType: "text",
    label: "New Field",
    fieldOrder: count + 1,
    isRequired: false,
    isActive: true,
  };
}

// Forgets what was typed for a form or a step that is gone: it could never be saved.

/** `ids` are those of everything that went. */
export function forgetDrafts(ids: readonly string[]): void {
  const gone = new Set<string | undefined>(ids);
  for (const { id, item, parent } of Object.values(drafts.value))
    if (gone.has(item) || gone.has(parent)) discardDraft(id);
}

/** A step and its fields; they are missing until they are read. */
export interface StepParts {
  readonly step: Item<"formSteps">;
  readonly fields: readonly Item<"formFields">[] | undefined;
}

/** The state of the read: `value` is missing until the steps are there. */
interface FormParts {
  readonly value: readonly StepParts[] | undefined;
  readonly error: Error | null;
  readonly reload: () => void;
}

/** Reads every part of a form. */
export function useFormParts(formId: string): FormParts {
  const steps = useEntity("formSteps", formId);
  const fields = useQueries({
    queries: (steps.value ?? []).map((step) => entityQuery("formFields", step.id)),
  });
  const reload = () => {
    steps.reload();
    for (const query of fields) void query.refetch();
  };
  return {
    value: steps.value?.map((step, at) => ({ step, fields: fields[at]?.data?.value })),
    error: steps.error,
    reload,
  };
}
