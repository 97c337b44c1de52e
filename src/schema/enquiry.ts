/** The enquiry form as a visitor sees it, and where a visitor without scripts stands in it. */
import { type Answers, answerTo, cleanAnswer } from "./answers.ts";
import type { Condition } from "./conditionKind.ts";
import { askable, goneOf } from "./conditions.ts";
import type { formFields, formSteps, forms } from "./forms.ts";
import type { ItemOf } from "./entity.ts";
import { safeUrl } from "./safeUrl.ts";

/** What is only asked if a choice was made before; a condition that doesn't hold any more is left out. */
interface Conditional {
  readonly showIf?: Condition;
}

/** An active question, without what only the owner reads. */
export type EnquiryField = Omit<ItemOf<typeof formFields>, "adminLabel" | "showIf"> & Conditional;

/** An active step with its active questions, both in their order. */
export type EnquiryStep = Omit<ItemOf<typeof formSteps>, "showIf"> &
  Conditional & { readonly fields: readonly EnquiryField[] };

/** A form with its active steps, as a visitor sees it; its redirect is a safe address or null. */
export type EnquiryTree = Omit<
  ItemOf<typeof forms>,
  "name" | "path" | "thanksMail" | "thanksWords"
> & {
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

/** The form whose own address is `/{path}`: an active one, where there is one. */
export function formAt<F extends Pick<Form, "path" | "isActive">>(
  forms: readonly F[],
  path: string,
): F | undefined {
  const found = forms.filter((form) => form.path === path);
  return found.find(({ isActive }) => isActive) ?? found[0];
}

/** The tree of a form for the page, its preview and the check of what is sent. */
export function enquiryTree(form: Form, { formSteps, formFields }: EnquiryLists): EnquiryTree {
  const { name: _, thanksMail: __, thanksWords: ___, path: ____, ...seen } = form;
  const asking = formSteps
    .filter((step) => step.formId === form.id && step.isActive)
    .map((step) => ({ step, fields: formFields.filter((field) => isOf(step, field)) }));
  const steps = asking.map(({ step, fields }, at) => {
    const questions = askable(asking, at);
    return {
      ...withStanding(step, questions),
      fields: fields.map((field) => withStanding(withoutAdminLabel(field), questions)),
    };
  });
  return { ...seen, redirectUrl: safeUrl(form.redirectUrl) ?? null, steps };
}

const isOf = ({ id }: { id: string }, { stepId, isActive }: EnquiryLists["formFields"][number]) =>
  stepId === id && isActive;

function withoutAdminLabel(field: EnquiryLists["formFields"][number]) {
  const { adminLabel: _, ...seen } = field;
  return seen;
}

/** With its condition, where that still holds. */
function withStanding<T extends { readonly showIf?: Condition | null }>(
  { showIf, ...others }: T,
  questions: Parameters<typeof goneOf>[1],
): Omit<T, "showIf"> & Conditional {
  return showIf && goneOf(showIf, questions) === undefined ? { ...others, showIf } : others;
}

/** A step that is asked, with those of its questions that are; `at` is its place among all of the form's, from 0. */
export type VisibleStep = EnquiryStep & { readonly at: number };

/**
 * What a form asks somebody who has answered so. The page, its preview, the form without scripts and the check of what
 * was sent all go by it. A question that isn't asked has no answer, and a step of which nothing is asked is none; the
 * first is always there, since a condition asks about an earlier step.
 */
export function visibleSteps(
  { steps }: Pick<EnquiryTree, "steps">,
  answers: Readonly<Record<string, unknown>>,
): VisibleStep[] {
  const chosen = new Map<string, unknown[]>();
  const isAsked = ({ showIf }: Conditional) =>
    !showIf || chosen.get(showIf.fieldId)?.some((each) => showIf.values.includes(String(each)));
  return steps.flatMap((step, at) => {
    if (!isAsked(step)) return [];
    const fields = step.fields.filter(isAsked);
    for (const field of fields)
      chosen.set(field.id, [answerTo(field, answers)].flat().map(cleanAnswer));
    return fields.length > 0 || step.fields.length === 0 ? [{ ...step, fields, at }] : [];
  });
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
