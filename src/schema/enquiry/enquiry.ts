/** The enquiry form as a visitor sees it, and its state for a visitor without scripts. */
import { type Answers, getAnswer, sanitizeAnswer } from "./answers.ts";
import type { Condition } from "../kinds/internalKinds.ts";
import { findConditionQuestions, findMissingReference } from "./conditions.ts";
import type { formFields, formSteps, forms } from "./forms.ts";
import type { ItemOf } from "../entities/entity.ts";
import { toSafeUrl } from "../core/safeUrl.ts";

/** The condition of a step or question; missing if there is none, or if the condition is invalid. */
interface Conditional {
  readonly showIf?: Condition;
}

/** An active question, without owner-only fields. */
export type EnquiryField = Omit<ItemOf<typeof formFields>, "adminLabel" | "showIf"> & Conditional;

/** An active step with its active questions in order. */
export type EnquiryStep = Omit<ItemOf<typeof formSteps>, "showIf"> &
  Conditional & { readonly fields: readonly EnquiryField[] };

/** A form with its active steps, as a visitor sees it. `redirectUrl` is a safe URL or null. */
export type EnquiryTree = Omit<
  ItemOf<typeof forms>,
  "name" | "path" | "deleteAfter" | "thanksMail" | "thanksWords"
> & {
  readonly steps: readonly EnquiryStep[];
};

type Form = ItemOf<typeof forms>;

interface EnquiryLists {
  readonly formSteps: readonly ItemOf<typeof formSteps>[];
  readonly formFields: readonly ItemOf<typeof formFields>[];
}

/** Returns the form on the coaching page: the first active form (specification, section 4.3). */
export function findActiveForm(forms: readonly Form[]): Form | undefined {
  return forms.find((form) => form.isActive);
}

/** Returns the form on the page `/{path}`. If several forms have this path, prefers an active form. */
export function findFormByPath<F extends Pick<Form, "path" | "isActive">>(
  forms: readonly F[],
  path: string,
): F | undefined {
  const candidates = forms.filter((form) => form.path === path);
  return candidates.find(({ isActive }) => isActive) ?? candidates[0];
}

/** Builds a form's tree of steps and questions, for the page, its preview, and the check of answers. */
export function createEnquiryTree(
  form: Form,
  { formSteps, formFields }: EnquiryLists,
): EnquiryTree {
  const {
    name: _,
    thanksMail: __,
    thanksWords: ___,
    path: ____,
    deleteAfter: _____,
    ...visibleForm
  } = form;
  const activeSteps = formSteps
    .filter((step) => step.formId === form.id && step.isActive)
    .map((step) => ({
      step,
      fields: formFields.filter(({ stepId, isActive }) => stepId === step.id && isActive),
    }));
  const steps = activeSteps.map(({ step, fields }, stepIndex) => {
    const questions = findConditionQuestions(activeSteps, stepIndex);
    return {
      ...withValidCondition(step, questions),
      fields: fields.map((field) => {
        const { adminLabel: _, ...visibleField } = field;
        return withValidCondition(visibleField, questions);
      }),
    };
  });
  return { ...visibleForm, redirectUrl: toSafeUrl(form.redirectUrl) ?? null, steps };
}

function withValidCondition<T extends { readonly showIf?: Condition | null }>(
  { showIf, ...others }: T,
  questions: Parameters<typeof findMissingReference>[1],
): Omit<T, "showIf"> & Conditional {
  return showIf && findMissingReference(showIf, questions) === undefined
    ? { ...others, showIf }
    : others;
}

/** A visible step with its visible questions; `index` is the step's position among all of the form's steps. */
export type VisibleStep = EnquiryStep & { readonly index: number };

/**
 * Returns the steps and questions that a form shows for the given answers. Ignores answers to hidden questions, and
 * skips a step whose questions are all hidden. The first step is always visible.
 */
export function findVisibleSteps(
  { steps }: Pick<EnquiryTree, "steps">,
  answers: Readonly<Record<string, unknown>>,
): VisibleStep[] {
  const answersById = new Map<string, unknown[]>();
  const isVisible = ({ showIf }: Conditional) =>
    !showIf || answersById.get(showIf.fieldId)?.some((each) => includesValue(showIf.values, each));
  return steps.flatMap((step, index) => {
    if (!isVisible(step)) return [];
    const fields = step.fields.filter(isVisible);
    for (const field of fields)
      answersById.set(field.id, [getAnswer(field, answers)].flat().map(sanitizeAnswer));
    return fields.length > 0 || step.fields.length === 0 ? [{ ...step, fields, index }] : [];
  });
}

/** Whether a value, which may have any type in a request, is one of the texts. */
const includesValue = (values: readonly string[], value: unknown): boolean =>
  typeof value === "string" && values.includes(value);

/** The state of a form posted by a browser without scripts, from which the next page is rendered. */
export interface NoScriptState {
  /** The HTTP status of the response: 200, or the status of a refusal. */
  readonly status: number;
  /** The seconds after which the visitor may send a refused form again. */
  readonly retryAfterSeconds?: string | undefined;
  /** The index of the step to show, from 0. */
  readonly step: number;
  /** All answers so far. The answers of other steps are in hidden inputs. */
  readonly answers: Answers;
  /** Messages by field id. */
  readonly errors: Readonly<Record<string, string>>;
  /** The message above the form, or null. */
  readonly error: string | null;
  /** True once the enquiry is stored; the page then shows the thank-you card. */
  readonly isDone: boolean;
  /** The signed time when the visitor began to fill in the form: the value of the hidden input `started`. */
  readonly startToken: string | null;
}
