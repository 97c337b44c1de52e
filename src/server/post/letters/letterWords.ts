/** What an owner writes into a letter, as it is stored. */
import { checkChange } from "../../../schema/check.ts";
import { entities } from "../../../schema/index.ts";
import { invalid } from "../../shared/errors.ts";
import type { Letter } from "./writeLetter.ts";

/** Cleans what was sent. Throws a 422 with a message by field. */
export function letterWords(sent: unknown, cleanHtml: (html: string) => string): Partial<Letter> {
  const words = checked(sent);
  if (words.body === undefined) return words;
  // Cleaned, it can be longer: each < that begins no tag takes four signs.
  return checked({ ...words, body: cleanHtml(words.body) });
}

function checked(sent: unknown): Partial<Letter> {
  const outcome = checkChange(entities.letters, sent);
  if (!outcome.ok) throw invalid(outcome.error, outcome.fields);
  return outcome.values;
}
