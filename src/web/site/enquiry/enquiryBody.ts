/** The answers to send, and the stored ones that are valid. */
import {
  type Answer,
  type Answers,
  hasOptions,
  isBlank,
  parseOptions,
} from "../../../schema/enquiry/answers.ts";
import {
  type EnquiryField,
  type EnquiryTree,
  visibleSteps,
} from "../../../schema/enquiry/enquiry.ts";

/** The request (specification, section 7.2). */
export interface EnquiryBody {
  readonly formId: string;
  readonly data: Answers;
  readonly submittedAt: string;
  /** The site's proof of when it was begun; without one, limits are stricter. */
  readonly started?: string;
  /** The id of a package. */
  readonly about?: string;
}

export interface About {
  readonly id: string;
  readonly title: string;
}

/** Sent along with the answers. */
interface Besides {
  readonly started: string | null;
  readonly about: About | null;
}

/** The answers to all visible questions. */
export function bodyOf(
  form: EnquiryTree,
  answers: Answers,
  { started, about }: Besides,
): EnquiryBody {
  const answered = visibleSteps(form, answers)
    .flatMap(({ fields }) => fields)
    .flatMap((field) => {
      const answer = answers[field.id];
      return answer === undefined || isBlank(field, answer) ? [] : [[field.id, answer]];
    });
  return {
    formId: form.id,
    data: Object.fromEntries(answered),
    submittedAt: new Date().toISOString(),
    ...(started !== null && { started }),
    ...(about && { about: about.id }),
  };
}

/** The valid part of a stored answer: options and kinds of questions may have changed. */
export function isOffered(field: EnquiryField, stored: Answer | undefined): Answer | undefined {
  if (stored === undefined || Array.isArray(stored) !== (field.fieldType === "checkbox"))
    return undefined;
  if (!hasOptions(field.fieldType)) return stored;
  const offered = parseOptions(field.options);
  if (typeof stored === "string") return offered.includes(stored) ? stored : undefined;
  return stored.filter((each) => offered.includes(each));
}
