/** The site's own texts: every page in every language with a translation, and marked English in the others. */
import { beforeAll, describe, expect, test } from "bun:test";
import {
  findTranslationLanguage,
  TRANSLATED_LANGUAGES,
} from "../../../src/schema/core/languages.ts";
import { ANSWER_REFUSALS, VISITOR_REFUSALS } from "../../../src/schema/core/refusals.ts";
import { normalizeNumber } from "../../../src/schema/core/inputNormalization.ts";
import { getPolicy, translateRefusalMessage, getWords } from "../../../src/web/words/allWords.ts";
import { replaceForms } from "../../support/enquiryForm.ts";
import { setUpSiteForAll } from "../../support/setUpSite.ts";
import { startSite } from "../../support/startSite.ts";

const OTHER_LANGUAGES = TRANSLATED_LANGUAGES.filter((language) => language !== "en");
const PAGES = ["/", "/coaching", "/privacy-policy", "/nowhere"];

/** All texts with their paths. */
function listSentences(words: object, path = ""): [string, string][] {
  return Object.entries(words).flatMap(([key, value]: [string, unknown]) =>
    typeof value === "string"
      ? [[path + key, value] as [string, string]]
      : listSentences(value as object, `${path}${key}.`),
  );
}

const english = getWords("en");
const listAllSentences = (language: string) => {
  const translation = getWords(language);
  return listSentences({ ...translation.words, policy: getPolicy(translation) });
};
const findPlaceholders = (sentence: string) => [...new Set(sentence.match(/\{\w+\}/g))].toSorted();

/** Texts that are the same in two languages. */
const ALIKE =
  /^(?:withColon|navigation\.(?:coaching|highlights|showreel|dates|menu|home)|coaching\.transformation|dates\.online|footer\.letters|form\.(?:errorTitle|website)|letters\.title|callTimes\.(?:duration|online|recipientTime)|toasts\.region|welcome\.roles\.performer|defaults\.headings\.(?:highlightSettings\.heading|coachingHero\.(?:mainTitle|subtitle)|videoSettings\.heading|eventSettings\.heading|transformationSettings\.heading)|defaults\.texts\.formFields\.(?:label\.(?:budget|date)|options\.print)|policy\.(?:introduction\.title|cookies\.title|collected\.days\.\w+|contact\.home))$/;

/** The quotation marks of each language. */
const QUOTATION_MARKS: Readonly<Record<string, string>> = {
  en: "",
  de: "„“",
  es: "«»",
  fr: "«»",
  it: "«»",
  nl: "“”",
  pl: "„”",
  pt: "“”",
};

test.each([...TRANSLATED_LANGUAGES])(
  "texts in the language %s use its apostrophes, quotation marks and spaces before punctuation",
  (language) => {
    const foreign = [...`${language === "en" ? "’" : "'"}‘“”„«»`].filter(
      (mark) => !QUOTATION_MARKS[language]!.includes(mark),
    );
    for (const [key, sentence] of listAllSentences(language)) {
      expect([key, foreign.filter((mark) => sentence.includes(mark))]).toEqual([key, []]);
      // A line must neither begin with a mark nor end with an opening one.
      if (language === "fr")
        expect([key, sentence]).not.toEqual([key, expect.stringMatching(/ [:;!?»]|« /)]);
    }
  },
);

test.each([...TRANSLATED_LANGUAGES])(
  "the example number in an error message in %s is accepted by a form",
  (language) => {
    const suggested = getWords(language).words.answers.number.match(/\d+[.,]\d+/)![0];
    expect(normalizeNumber(suggested)).toBe("3.5");
  },
);

describe.each([...OTHER_LANGUAGES])("in %s", (language) => {
  const byKey = new Map(listAllSentences("en"));

  test("every text has the placeholders of the English text and differs from it", () => {
    for (const [key, sentence] of listAllSentences(language)) {
      // "one day" has no number.
      if (!key.includes(".days."))
        expect([key, findPlaceholders(sentence)]).toEqual([key, findPlaceholders(byKey.get(key)!)]);
      if (!ALIKE.test(key)) expect([key, sentence]).not.toEqual([key, byKey.get(key)!]);
      const plain = sentence.replace(/<\/?p>|(?<= |^)& /g, "");
      expect([key, /[<>"&]/.test(plain)]).toEqual([key, false]);
    }
  });

  test("every error message for visitors is translated, and keeps its number", () => {
    const translation = getWords(language);
    const { answers, refusals } = translation.words;
    const sentences = { ...answers, ...refusals };
    const refusalKeys = Object.keys({ ...ANSWER_REFUSALS, ...VISITOR_REFUSALS });
    expect(refusalKeys.filter((key) => !(key in sentences))).toEqual([]);
    for (const refusal of Object.values({ ...ANSWER_REFUSALS, ...VISITOR_REFUSALS })) {
      const message = translateRefusalMessage(
        translation,
        refusal.replace(/\{\w+\}/, () => "5,000"),
      );
      expect(message).not.toBe(refusal.replace(/\{\w+\}/, () => "5,000"));
      expect(message).not.toContain("{");
      if (refusal.includes("{")) expect(message).toContain((5000).toLocaleString(language));
    }
  });
});

test("error messages stay unchanged in English, as does any other text in every language", () => {
  expect(translateRefusalMessage(english, ANSWER_REFUSALS.noEmail)).toBe("Email is required");
  expect(translateRefusalMessage(getWords("de"), "Something else")).toBe("Something else");
  expect(["de-AT", "en-US", "fi", "x"].map(findTranslationLanguage)).toEqual([
    "de",
    "en",
    "en",
    "en",
  ]);
});

describe("a public site", () => {
  const site = setUpSiteForAll(startSite);

  beforeAll(async () => {
    const owner = await site.owner();
    // Empty texts are replaced by the program's; initial values count as the owner's.
    await owner.post("/api/coaching-hero", { mainTitle: "", subtitle: "", tagline: "" });
    await replaceForms(site, [
      {
        title: "Xyzzy",
        fields: [
          { label: "Xyzzy", fieldType: "country", isRequired: true },
          { label: "Xyzzy", fieldType: "international_phone" },
        ],
      },
    ]);
  });

  async function fetchPages(language: string): Promise<string[]> {
    const owner = await site.owner();
    expect((await owner.post("/api/site", { language })).status).toBe(200);
    return Promise.all(PAGES.map(async (path) => (await fetch(site.url + path)).text()));
  }

  /** The text nodes and labels of a page that are marked as English, and all others. */
  function findTexts(html: string): { marked: string[]; others: string[] } {
    const [marked, others]: [string[], string[]] = [[], []];
    const langs: string[] = [];
    const body = html.slice(html.indexOf("<body")).replace(/<(script|style)\b[\s\S]*?<\/\1>/g, "");
    for (const [, close, name, attributes = "", empty, text] of body.matchAll(
      /<(\/?)(\w+)([^>]*?)(\/?)>|([^<]+)/g,
    )) {
      if (text !== undefined) (langs.at(-1) === "en" ? marked : others).push(text.trim());
      else if (close) langs.pop();
      else {
        const lang = /\slang="([^"]*)"/.exec(attributes)?.[1] ?? langs.at(-1) ?? "";
        for (const [, label] of attributes.matchAll(/\saria-label="([^"]*)"/g))
          (lang === "en" ? marked : others).push(label!);
        if (!empty && !/^(?:img|input|path|circle|br|link|meta|hr)$/.test(name!)) langs.push(lang);
      }
    }
    return { marked, others };
  }

  /** The program's English texts as they appear in a page. */
  const ours = new Set(
    listAllSentences("en")
      .map(([key, sentence]) => (ALIKE.test(key) || key.startsWith("defaults.") ? "" : sentence))
      .filter((sentence) => sentence !== "" && !sentence.includes("{")),
  );
  const isOurs = (text: string) => ours.has(text.replaceAll("&#x27;", "'"));

  test("in English has the program's texts without a lang attribute", async () => {
    const texts = (await fetchPages("en")).map(findTexts);
    expect(texts.flatMap(({ marked }) => marked)).toEqual([]);
    expect(texts.flatMap(({ others }) => others.filter(isOurs)).length).toBeGreaterThan(40);
  });

  test.each([...OTHER_LANGUAGES])("in %s has no English text of the program", async (language) => {
    for (const html of await fetchPages(language)) {
      expect(html).toContain(`<html lang="${language}"`);
      const { marked, others } = findTexts(html);
      expect(marked).toEqual([]);
      expect(others.filter(isOurs)).toEqual([]);
    }
  });

  test("in a language without translations marks the program's texts as English", async () => {
    for (const html of await fetchPages("fi")) {
      expect(html).toContain('<html lang="fi"');
      const { marked, others } = findTexts(html);
      expect(others.filter(isOurs)).toEqual([]);
      expect(marked.filter(isOurs).length).toBeGreaterThan(5);
    }
  });

  test("sends error messages to its own pages in its language, and to other clients in English", async () => {
    await fetchPages("de");
    const refused = async (language?: string) => {
      const headers = {
        "content-type": "application/json",
        ...(language && { "accept-language": language }),
      };
      const request = { method: "POST", headers, body: '{"email":"x"}' };
      return (await (await fetch(`${site.url}/api/email-subscriptions`, request)).json()).error;
    };
    expect(await refused()).toBe(ANSWER_REFUSALS.email);
    expect(await refused("de-DE,de;q=0.9")).toBe(ANSWER_REFUSALS.email);
    expect(await refused("de")).toBe(getWords("de").words.answers.email);
  });
});
