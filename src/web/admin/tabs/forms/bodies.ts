/** What the writes of a form's parts send (spec section 7). */
import type { Item } from "../../../../schema/index.ts";

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
