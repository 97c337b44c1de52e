/** What the coaching page asks: the active form as a visitor sees it. */
import type { EnquiryField, EnquiryForm, EnquiryStep } from "../../schema/enquiry.ts";
import type { Content, Item } from "../../schema/index.ts";
import { safeUrl } from "../../schema/safeUrl.ts";
import type { Store } from "../storage/store.ts";

/** The first form that is active (spec section 4), or null when there is none. */
export function activeEnquiry(store: Store): EnquiryForm | null {
  const first = read(store, "forms").find((form) => form.isActive);
  return first ? asVisitorsSee(store, first) : null;
}

/** A form that takes answers, or null when it is unknown or inactive. */
export function enquiryNamed(store: Store, formId: string): EnquiryForm | null {
  const form = read(store, "forms").find((each) => each.id === formId && each.isActive);
  return form ? asVisitorsSee(store, form) : null;
}

function asVisitorsSee(store: Store, form: Item<"forms">): EnquiryForm {
  const fields = read(store, "form-fields").filter((field) => field.isActive);
  const steps = read(store, "form-steps")
    .filter((step) => step.formId === form.id && step.isActive)
    .sort((a, b) => a.stepOrder - b.stepOrder)
    .map((step) => withFields(step, fields));
  const { name: _, ...seen } = form;
  return { ...seen, redirectUrl: safeUrl(form.redirectUrl) ?? null, steps };
}

function withFields(step: Item<"formSteps">, active: Content<"formFields">): EnquiryStep {
  const fields = active
    .filter((field) => field.stepId === step.id)
    .sort((a, b) => a.fieldOrder - b.fieldOrder)
    .map(withoutAdminLabel);
  return { ...step, fields };
}

function withoutAdminLabel(field: Item<"formFields">): EnquiryField {
  const { adminLabel: _, ...seen } = field;
  return seen;
}

interface Lists {
  forms: Content<"forms">;
  "form-steps": Content<"formSteps">;
  "form-fields": Content<"formFields">;
}

function read<N extends keyof Lists>(store: Store, name: N): Lists[N] {
  return store.document<Lists[N]>(name).read().value;
}
