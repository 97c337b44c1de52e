/** The enquiry form as a visitor sees it, and where a visitor without scripts stands in it. */
import type { Answers } from "./answers.ts";
import type { formFields, formSteps, forms } from "./forms.ts";
import type { ItemOf } from "./entity.ts";
import { safeUrl } from "./safeUrl.ts";

/** An active question, without what only the owner reads. */
export type EnquiryField = Omit<ItemOf<typeof formFields>, "adminLabel">;

/** An active step with its active questions, both in their order. */
export type EnquiryStep = ItemOf<typeof formSteps> & { readonly fields: readonly EnquiryField[] };

/** A form with its active steps, as a visitor sees it; its redirect is a safe address or null. */
export type EnquiryTree = Omit<ItemOf<typeof forms>, "name" | "thanksMail" | "thanksWords"> & {
  readonly steps: readonly EnquiryStep[];
};

type Form = ItemOf<typeof forms>;

/** Steps and fields, of one form or of several, each list in its arrangement. */
interface EnquiryLists {
  readonly formSteps: readonly ItemOf<typeof formSteps>[];
  readonly formFields: readonly ItemOf<typeof formFields>[];
}

/** The form that visitors get: the first active one (specification, section 4.3). */
export function activeForm(forms: readonly Form[]): Form | undefined {
  return forms.find((form) => form.isActive);
}

/** The tree of a form for the page, its preview and the check of what is sent. */
export function enquiryTree(form: Form, { formSteps, formFields }: EnquiryLists): EnquiryTree {
  const { name: _, thanksMail: __, thanksWords: ___, ...seen } = form;
  const steps = formSteps
    .filter((step) => step.formId === form.id && step.isActive)
    .map((step) => ({ ...step, fields: fieldsOf(step.id, formFields) }));
  return { ...seen, redirectUrl: safeUrl(form.redirectUrl) ?? null, steps };
}

function fieldsOf(stepId: string, fields: EnquiryLists["formFields"]): EnquiryField[] {
  return fields.filter((field) => field.stepId === stepId && field.isActive).map(withoutAdminLabel);
}

function withoutAdminLabel(field: EnquiryLists["formFields"][number]): EnquiryField {
  const { adminLabel: _, ...seen } = field;
  return seen;
}

/** Where a visitor without scripts stands after a post; the page is drawn from it. */
export interface PlainEnquiryState {
  /** The status to answer with: 200, or that of the refusal. */
  readonly status: number;
  /** After how many seconds a refusal is over by itself. */
  readonly retryAfter?: string | undefined;
  /** Counted from 0. */
  readonly step: number;
  /** All answers so far: those of other steps travel in hidden inputs. */
  readonly answers: Answers;
  /** Words by field id. */
  readonly errors: Readonly<Record<string, string>>;
  /** The words to show above the form, or null. */
  readonly error: string | null;
  /** Stored: show the thank-you card. */
  readonly done: boolean;
  /** When filling in began, signed; travels in the hidden input `started`. */
  readonly started: string | null;
}
