/** The colon between a label and its text, in every language. */
import { expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import { getInitialValues } from "../../../src/schema/entities/check.ts";
import { TRANSLATED_LANGUAGES } from "../../../src/schema/core/languages.ts";
import { createHomeMetadata } from "../../../src/web/site/pageMetadata.ts";
import { getWords } from "../../../src/web/words/allWords.ts";
import { addColon, fillPlaceholders } from "../../../src/web/words/placeholders.ts";

test.each([...TRANSLATED_LANGUAGES])(
  "a colon has a no-break space before it in French, and no space in other languages: %s",
  (language) =>
    expect(addColon("{name}", getWords(language).words)).toBe(
      language === "fr" ? "{name}\u00a0:" : "{name}:",
    ),
);

test("the home page's description has its language's colon", () => {
  const hero = { ...getInitialValues(entities.hero.fields), tagline: "Danse", subtitle: "Ann" };
  for (const language of ["en", "fr"]) {
    const { words } = getWords(language);
    const intro = addColon(fillPlaceholders(words.head.home, { name: "Ann" }), words);
    expect(createHomeMetadata({ name: "Ann", words }, hero).description).toBe(`${intro} Danse.`);
  }
});
