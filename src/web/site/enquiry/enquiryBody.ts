/** Creates the request that sends an enquiry, and checks stored answers. */
import {
  type Answer,
  type Answers,
  hasOptions,
  isAnswerEmpty,
  parseOptions,
} from "../../../schema/enquiry/answers.ts";
import {
  type EnquiryField,
  type EnquiryTree,
  findVisibleSteps,
} from "../../../schema/enquiry/enquiry.ts";
import type { LinkedPackage } from "../parts/packageAnchor.ts";

/** The body of the request (specification, section 7.2). */
export interface EnquiryBody {
  readonly formId: string;
  readonly data: Answers;
  readonly submittedAt: string;
  /** The site's proof of when the enquiry was begun. Without a proof, the site's rate limits are stricter. */
  readonly started?: string;
  /** The id of the package that the enquiry is about. */
  readonly about?: string;
}

interface EnquiryMetadata {
  readonly started: string | null;
  readonly about: LinkedPackage | null;
}

/** Creates the body with the answers to all visible questions. */
export function createEnquiryBody(
  form: EnquiryTree,
  answers: Answers,
  { started, about }: EnquiryMetadata,
): EnquiryBody {
  const entries = findVisibleSteps(form, answers)
    .flatMap(({ fields }) => fields)
    .flatMap((field) => {
      const answer = answers[field.id];
      return answer === undefined || isAnswerEmpty(field, answer) ? [] : [[field.id, answer]];
    });
  return {
    formId: form.id,
    data: Object.fromEntries(entries),
    submittedAt: new Date().toISOString(),
    ...(started !== null && { started }),
    ...(about && { about: about.id }),
  };
}

/** Returns the part of a stored answer that fits the question, whose kind and options may have changed. */
export function findValidAnswer(
  field: EnquiryField,
  storedAnswer: Answer | undefined,
): Answer | undefined {
  if (
    storedAnswer === undefined ||
    Array.isArray(storedAnswer) !== (field.fieldType === "checkbox")
  )
    return undefined;
  if (!hasOptions(field.fieldType)) return storedAnswer;
  const offeredOptions = parseOptions(field.options);
  if (typeof storedAnswer === "string")
    return offeredOptions.includes(storedAnswer) ? storedAnswer : undefined;
  return storedAnswer.filter((each) => offeredOptions.includes(each));
}
