/** The answers typed on the /say page, checked as they come in. */
import { cleanAnswer } from "../../schema/enquiry/answers.ts";
import { checkNew } from "../../schema/entities/check.ts";
import { NO_CONTROLS } from "../../schema/core/harmless.ts";
import { tooLong } from "../../schema/core/grouped.ts";
import { entities } from "../../schema/index.ts";
import { present } from "../../schema/core/present.ts";
import type { SiteWords } from "../../web/words/siteWords.ts";
import { refusalIn } from "../../web/words/all.ts";
import { hasLinks } from "../shared/typedText.ts";

/** The page's fields, as typed. */
export interface Typed {
  readonly words: string;
  readonly name: string;
  readonly role: string;
  readonly agreed: boolean;
}

export const NOTHING_TYPED: Typed = { words: "", name: "", role: "", agreed: false };

/** By field; empty if all are right. */
export type Wrong = Readonly<Partial<Record<keyof Typed, string>>>;

const textOf = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === "string" ? cleanAnswer(value) : "";
};

export const typedIn = (form: FormData): Typed => ({
  words: textOf(form, "words"),
  name: textOf(form, "name"),
  role: textOf(form, "role"),
  agreed: form.get("agreed") === "yes",
});

/** The errors, in the site's language. */
export function wrongIn(typed: Typed, own: SiteWords): Wrong {
  const { say, answers } = own.words;
  const { words, name, role } = typed;
  const checked = checkNew(entities.testimonials, { words, name, role });
  const wrong: Partial<Record<keyof Typed, string>> = {};
  for (const field of ["words", "name", "role"] as const) {
    const refused = checked.ok ? undefined : checked.fields[field];
    const { length } = typed[field];
    const most = present(entities.testimonials.fields[field].maxLength, "length of a text");
    if (length === 0 && field !== "role") wrong[field] = say.missing;
    else if (length > most) wrong[field] = `${refusalIn(own, tooLong(most))} (${length} / ${most})`;
    else if (refused !== undefined)
      wrong[field] = refused === NO_CONTROLS ? answers.controls : refusalIn(own, refused);
    else if (hasLinks(typed[field])) wrong[field] = say.links;
  }
  return typed.agreed ? wrong : { ...wrong, agreed: say.tick };
}
