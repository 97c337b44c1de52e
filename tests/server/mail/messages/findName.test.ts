/** The sender's name among the answers, and the reader's name in a letter. */
import { expect, test } from "bun:test";
import { TRANSLATED_LANGUAGES } from "../../../../src/schema/core/languages.ts";
import { findName } from "../../../../src/server/mail/messages/ownerMessages.ts";
import { fillName } from "../../../../src/server/newsletter/renderLetter.ts";
import { getWords } from "../../../../src/web/words/allWords.ts";

const findNameUnder = (label: string) =>
  findName([{ id: "1", label, type: "text", answer: "Ann" }]);

test.each(TRANSLATED_LANGUAGES)("the sender's name is found in a form in %s", (language) => {
  const { name } = getWords(language).words.defaults.texts.formFields.label;
  expect(findNameUnder(name)).toBe("Ann");
});

test.each(["Vorname", "Prénom", "Voornaam", "First name", "Imię"])("%s asks for a name", (label) =>
  expect(findNameUnder(label)).toBe("Ann"),
);
test.each(["Benutzername", "Filename", "Ernährung"])("%s doesn't ask for a name", (label) =>
  expect(findNameUnder(label)).toBe(undefined),
);

test.each(["Hi {first\u00a0name},", "Hi {first&nbsp;name},", "Hi&nbsp;{ First  name },"])(
  "a newsletter's placeholder for a name is filled whatever spaces it contains: %j",
  (text) => {
    expect(fillName(text, "Ann")).toMatch(/^Hi(?: |&nbsp;)Ann,$/);
    expect(fillName(text, null)).toBe("Hi,");
  },
);
