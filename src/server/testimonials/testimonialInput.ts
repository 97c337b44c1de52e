/** Reads and checks the form to write a testimonial (/say). */
import { sanitizeAnswer } from "../../schema/enquiry/answers.ts";
import { checkNewItem } from "../../schema/entities/check.ts";
import { CONTROL_CHARACTERS_MESSAGE } from "../../schema/core/invisibleCharacters.ts";
import { createTooLongMessage } from "../../schema/core/formatNumber.ts";
import { entities } from "../../schema/index.ts";
import { assertDefined } from "../../schema/core/assertDefined.ts";
import type { SiteWords } from "../../web/words/siteWords.ts";
import { translateRefusalMessage } from "../../web/words/allWords.ts";
import { hasLinks } from "../shared/untrustedText.ts";

export interface TestimonialInput {
  readonly words: string;
  readonly name: string;
  readonly role: string;
  readonly agreed: boolean;
}

export const EMPTY_INPUT: TestimonialInput = { words: "", name: "", role: "", agreed: false };

export type InputErrors = Readonly<Partial<Record<keyof TestimonialInput, string>>>;

const readFormText = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === "string" ? sanitizeAnswer(value) : "";
};

export const readTestimonialInput = (form: FormData): TestimonialInput => ({
  words: readFormText(form, "words"),
  name: readFormText(form, "name"),
  role: readFormText(form, "role"),
  agreed: form.get("agreed") === "yes",
});

/** Returns error messages by field, in the site's language. */
export function findInputErrors(input: TestimonialInput, translation: SiteWords): InputErrors {
  const { testimonialForm, answers } = translation.words;
  const { words, name, role } = input;
  const result = checkNewItem(entities.testimonials, { words, name, role });
  const errors: Partial<Record<keyof TestimonialInput, string>> = {};
  for (const field of ["words", "name", "role"] as const) {
    const problem = result.ok ? undefined : result.fields[field];
    const { length } = input[field];
    const { maxLength } = entities.testimonials.fields[field];
    const max = assertDefined(maxLength, "length of a text");
    if (length === 0 && field !== "role") errors[field] = testimonialForm.missingError;
    else if (length > max)
      errors[field] =
        `${translateRefusalMessage(translation, createTooLongMessage(max))} (${length} / ${max})`;
    else if (problem !== undefined)
      errors[field] =
        problem === CONTROL_CHARACTERS_MESSAGE
          ? answers.controlCharacters
          : translateRefusalMessage(translation, problem);
    else if (hasLinks(input[field])) errors[field] = testimonialForm.linksError;
  }
  return input.agreed ? errors : { ...errors, agreed: testimonialForm.consentError };
}
