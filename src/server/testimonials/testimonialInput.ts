/** The answers typed on the /say page, checked on receipt. */
import { sanitizeAnswer } from "../../schema/enquiry/answers.ts";
import { checkNew } from "../../schema/entities/check.ts";
import { CONTROL_CHARACTERS_MESSAGE } from "../../schema/core/invisibleCharacters.ts";
import { tooLongMessage } from "../../schema/core/formatNumber.ts";
import { entities } from "../../schema/index.ts";
import { assertDefined } from "../../schema/core/assertDefined.ts";
import type { SiteWords } from "../../web/words/siteWords.ts";
import { translateRefusalMessage } from "../../web/words/all.ts";
import { hasLinks } from "../shared/untrustedText.ts";

/** The page's fields, as typed. */
export interface TestimonialInput {
  readonly words: string;
  readonly name: string;
  readonly role: string;
  readonly agreed: boolean;
}

export const EMPTY_INPUT: TestimonialInput = { words: "", name: "", role: "", agreed: false };

/** By field; empty if all are right. */
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

/** The errors, in the site's language. */
export function findInputErrors(typed: TestimonialInput, translation: SiteWords): InputErrors {
  const { say, answers } = translation.words;
  const { words, name, role } = typed;
  const checked = checkNew(entities.testimonials, { words, name, role });
  const wrong: Partial<Record<keyof TestimonialInput, string>> = {};
  for (const field of ["words", "name", "role"] as const) {
    const refused = checked.ok ? undefined : checked.fields[field];
    const { length } = typed[field];
    const most = assertDefined(entities.testimonials.fields[field].maxLength, "length of a text");
    if (length === 0 && field !== "role") wrong[field] = say.missingError;
    else if (length > most)
      wrong[field] =
        `${translateRefusalMessage(translation, tooLongMessage(most))} (${length} / ${most})`;
    else if (refused !== undefined)
      wrong[field] =
        refused === CONTROL_CHARACTERS_MESSAGE
          ? answers.controls
          : translateRefusalMessage(translation, refused);
    else if (hasLinks(typed[field])) wrong[field] = say.linksError;
  }
  return typed.agreed ? wrong : { ...wrong, agreed: say.consentError };
}
