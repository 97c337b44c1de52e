/** A form's steps and their fields: reading them, what their writes send, what a new one begins with. */
import { useQueries } from "@tanstack/react-query";
import { placeAfterLast } from "../../../../schema/entity.ts";
import { BY_FIELD_ORDER, BY_STEP_ORDER } from "../../../../schema/forms.ts";
import type { Item } from "../../../../schema/index.ts";
import { entityQuery, useEntity } from "../../data/useEntity.ts";

/** A step and its fields; they are missing until they are read. */
export interface StepWithFields {
  readonly step: Item<"formSteps">;
  readonly fields: readonly Item<"formFields">[] | undefined;
}

/** The state of the read: `value` is missing until the steps are there. */
interface FormSteps {
  readonly value: readonly StepWithFields[] | undefined;
  readonly error: Error | null;
  readonly reload: () => void;
}

/** The steps of a form, each with its fields. */
export function useFormSteps(formId: string): FormSteps {
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

/** What PUT /api/forms/{id} sends. The redirect address goes along as it is: it is not edited here. */
export const FORM_FIELDS = [
  "title",
  "subtitle",
  "description",
  "path",
  "isActive",
  "thankYouMessage",
  "redirectUrl",
] as const;

/** What PUT /api/form-steps/{id} sends. */
export const STEP_FIELDS = ["title", "subtitle", "description", "isActive", "showIf"] as const;

/** What PUT /api/form-fields/{id} sends. */
export const FIELD_FIELDS = [
  "fieldType",
  "label",
  "adminLabel",
  "placeholder",
  "isRequired",
  "isActive",
  "options",
  "showIf",
] as const;

/** POST /api/forms: the form that comes as number `place`, from 1. */
export function newForm(place: number) {
  return {
    name: `Form ${place}`,
    title: "New Form",
    subtitle: "Enter your details below",
    isActive: true,
  };
}

/** POST /api/form-steps: a step after all others. */
export function newStep(formId: string, steps: readonly Item<"formSteps">[]) {
  const title = `Step ${steps.length + 1}`;
  return { formId, title, stepOrder: placeOfNewStep(steps), isActive: true };
}

/** POST /api/form-fields: a field after all others of its step. */
export function newField(stepId: string, fields: readonly Item<"formFields">[]) {
  return {
    stepId,
    fieldType: "text",
    label: "New Field",
    fieldOrder: placeOfNewField(fields),
    isRequired: false,
    isActive: true,
  };
}

const placeOfNewStep = (steps: readonly object[]) => placeAfterLast(BY_STEP_ORDER, steps);
export const placeOfNewField = (fields: readonly object[]) =>
  placeAfterLast(BY_FIELD_ORDER, fields);
