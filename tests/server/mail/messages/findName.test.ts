/** The sender's name among the answers, and the reader's name in a letter. */
import { expect, test } from "bun:test";
import { TRANSLATED_LANGUAGES } from "../../../../src/schema/core/languages.ts";
import { findName } from "../../../../src/server/mail/messages/ownerMessages.ts";
import { fillName } from "../../../../src/server/newsletter/renderLetter.ts";
import { getWords } from "../../../../src/web/words/allWords.ts";

const findNameUnder = (label: string) =>
  findName([{ id: "1", label, type: "text", answer: "Ann" }]);

test.each(TRANSLATED_LANGUAGES)("the default question for a name is found in %s", (language) => {
  const { name } = getWords(language).words.defaults.texts.formFields.label;
  expect(findNameUnder(name)).toBe("Ann");
});

test.each(["Vorname", "Prénom", "Voornaam", "First name", "Imię"])("%s is a name", (label) =>
  expect(findNameUnder(label)).toBe("Ann"),
);
test.each(["Benutzername", "Filename", "Ernährung"])("%s is none", (label) =>
  expect(findNameUnder(label)).toBe(undefined),
);

test.each(["Hi {first\u00a0name},", "Hi {first&nbsp;name},", "Hi&nbsp;{ First  name },"])(
  "an editor's spaces in the placeholder change nothing: %j",
  (text) => {
    expect(fillName(text, "Ann")).toMatch(/^Hi(?: |&nbsp;)Ann,$/);
    expect(fillName(text, null)).toBe("Hi,");
  },
);
