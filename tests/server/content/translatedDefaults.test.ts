/** Default texts follow the site's language, and typed texts stay. */
import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { getInitialValues } from "../../../src/schema/entities/check.ts";
import { allEntities, entities } from "../../../src/schema/index.ts";
import { TRANSLATED_LANGUAGES } from "../../../src/schema/core/languages.ts";
import { EXTRAS } from "../../../src/schema/sections/extras.ts";
import { findLook } from "../../../src/schema/looks/looks.ts";
import {
  createSuggestedFieldBody,
  SUGGESTED_QUESTIONS,
  FORM_TEMPLATES,
} from "../../../src/web/admin/tabs/forms/templates.ts";
import { getWords } from "../../../src/web/words/allWords.ts";
import { deleteForms } from "../../support/enquiryForm.ts";
import { ownerOf, setUpSiteForAll, startSite } from "../../support/testSite.ts";

const site = setUpSiteForAll(() => startSite({ env: { RATE_LIMIT: "off" } }));
const owner = ownerOf(site);
const OTHER_LANGUAGES = TRANSLATED_LANGUAGES.filter((each) => each !== "en");

const setLanguage = (language: string) => owner.post("/api/site", { language });
const fetchBody = async (path: string) => (await owner.get(path)).body;

/** All default texts in this language. */
function collectTexts(language: string): string[] {
  const { headings, texts } = getWords(language).words.defaults;
  const all = (value: unknown): string[] =>
    typeof value === "string" ? [value] : Object.values(value as object).flatMap(all);
  return [...all(headings), ...all(texts)].map((text) => text.replace(/<\/?p>/g, ""));
}

/** The visible text of a page. */
const extractVisibleText = (html: string) =>
  html
    .slice(html.indexOf("<body"))
    .replace(/<(script|style)\b[\s\S]*?<\/\1>/g, "\n")
    .replace(/<[^>]*>/g, "\n")
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&");

/** Makes a form from a template, like the dashboard. */
async function makeForm(template: (typeof FORM_TEMPLATES)[number], path?: string) {
  const { name, title: formTitle, subtitle, thankYouMessage, steps } = template;
  const texts = { name, title: formTitle, subtitle, thankYouMessage };
  const form = (await owner.post("/api/forms", { ...texts, path })).body;
  const made = [];
  for (const [at, { title, questions }] of steps.entries()) {
    const body = { formId: form.id, title, stepOrder: at + 1, isActive: true };
    const step = (await owner.post("/api/form-steps", body)).body;
    for (const [before, question] of questions.entries())
      made.push(
        (
          await owner.post(
            "/api/form-fields",
            createSuggestedFieldBody(question, step.id, before + 1),
          )
        ).body,
      );
  }
  return { form, fields: made };
}

describe("a site with default texts only", () => {
  beforeAll(async () => {
    await setLanguage("en");
    await deleteForms(site);
    await fillEverything();
  });

  const PAGES = ["/", "/coaching", "/show", "/brand", "/new", "/privacy-policy", "/nowhere"];

  async function fillEverything() {
    await owner.post("/api/extras", { on: EXTRAS.map(({ key }) => key) });
    for (const key of ["hero", "coaching-hero"])
      await owner.post(`/api/${key}`, { buttonText: "Work with me" });
    await owner.post("/api/packages", { title: "Xyzzy" });
    await makeForm(FORM_TEMPLATES[0]);
    await makeForm(FORM_TEMPLATES[1], "show");
    await makeForm(FORM_TEMPLATES[2]!, "brand");
    const form = { name: "Form 4", title: "New Form", subtitle: "Enter your details below" };
    const { body } = await owner.post("/api/forms", { ...form, path: "new" });
    const step = (await owner.post("/api/form-steps", { formId: body.id, title: "Step 1" })).body;
    for (const [at, question] of SUGGESTED_QUESTIONS.entries())
      await owner.post("/api/form-fields", createSuggestedFieldBody(question, step.id, at + 1));
  }

  test.each([...OTHER_LANGUAGES])(
    "has no English default on its pages when its language is %s",
    async (language) => {
      await setLanguage(language);
      const translated = new Set([
        ...collectTexts(language),
        ...collectTexts(language).map((each) => each.toUpperCase()),
      ]);
      const english = collectTexts("en").filter(
        (text) => !translated.has(text) && !text.includes("{"),
      );
      const isEnglish = new Set(english.flatMap((text) => [text, text.toUpperCase()]));
      const look = OTHER_LANGUAGES.indexOf(language) % 2 === 0 ? "spotlight" : "daylight";
      await owner.post("/api/styles", findLook(look)!.styles);
      for (const path of PAGES) {
        const lines = extractVisibleText((await site.visitor().get(path)).text).split("\n");
        expect([path, lines.filter((line) => isEnglish.has(line.trim()))]).toEqual([path, []]);
      }
      await setLanguage("en");
      expect((await fetchBody("/api/forms")).map(({ title }: { title: string }) => title)).toEqual([
        "WORK WITH ME",
        "BOOK A SHOW",
        "WORK TOGETHER",
        "New Form",
      ]);
    },
  );

  test("returns every default exactly as declared when its language is English", async () => {
    const declared = allEntities.filter(
      ({ shape, readers }) => shape === "singleton" && readers === "everyone",
    );
    for (const entity of declared) {
      const initial: Record<string, unknown> = getInitialValues(entity.fields);
      const value = await fetchBody(`/api/${entity.name}`);
      const texts = Object.keys(getWords("en").words.defaults.texts).includes(entity.key)
        ? ["heading", "title", "content", "description", "noDates"]
        : [];
      for (const field of texts) expect(value[field]).toBe(initial[field]);
    }
  });

  test("has a translation for every declared text that visitors see", () => {
    const { headings, texts } = getWords("en").words.defaults;
    const findDeclaredTexts = (key: string, field: string) =>
      [headings, texts].flatMap((each) => {
        const value = (each as Record<string, Record<string, unknown>>)[key]?.[field];
        const all = typeof value === "string" ? [value] : Object.values(value ?? {});
        return all.flatMap((text) => [text, String(text).toUpperCase()]);
      });
    const missing = allEntities
      .filter(({ readers, shape }) => readers === "everyone" && shape !== "records")
      .flatMap(({ key, fields }) =>
        Object.entries(fields as Record<string, { initial: unknown; kind: { input?: string } }>)
          .filter(
            ([, { initial }]) => typeof initial === "string" && /[a-z]{3}|[A-Z]{4}/.test(initial),
          )
          .filter(
            ([field, { initial }]) => !findDeclaredTexts(key, field).includes(initial as string),
          )
          .map(([field]) => `${key}.${field}`),
      );
    // Choices, colors and the like; the questions of testimonials are among the page's words.
    expect(missing.filter((name) => !NO_TEXT.test(name))).toEqual([]);
  });
});

const NO_TEXT =
  /^(?:\w+\.\w*Color$|styles\.|events\.|welcome\.|connectLinks\.platform|eventSettings\.past|formFields\.fieldType|forms\.deleteAfter|testimonialSettings\.(?:questions|place)|packageSettings\.place|site\.(?:language|timeZone|agencyName)|uploads\.)/;

describe("on a German site", () => {
  beforeEach(() => setLanguage("de"));

  test("a default text that was saved unchanged still follows a change of language", async () => {
    const shown = await fetchBody("/api/about");
    expect(shown.title).toBe("ÜBER MICH");
    await owner.post("/api/about", { title: shown.title, content: "<p>Mein Text.</p>" });
    expect(site.store.of(entities.about).read().value.title).toBe("ÜBER MICH");
    await setLanguage("fr");
    expect(await fetchBody("/api/about")).toMatchObject({
      title: "À PROPOS",
      content: "<p>Mein Text.</p>",
    });
  });

  test("a text that the owner typed stays the same in every language", async () => {
    await owner.post("/api/press-settings", { heading: "Presseschau" });
    for (const language of TRANSLATED_LANGUAGES) {
      await setLanguage(language);
      expect((await fetchBody("/api/press-settings")).heading).toBe("Presseschau");
    }
  });

  test("a save is refused if its ETag is from before a change of language", async () => {
    const { headers } = await owner.get("/api/connect-settings");
    const etag = headers.get("etag")!;
    const save = (value: string) =>
      owner.post("/api/connect-settings", { heading: value }, { "if-match": etag });
    expect((await save("KONTAKT")).status).toBe(200);
    await setLanguage("it");
    expect((await save("Ciao")).status).toBe(412);
  });

  test("an earlier version is shown in the site's language, and can be restored", async () => {
    await owner.post("/api/transformation-settings", { heading: "Vorher, nachher" });
    const [, earlier] = await fetchBody("/api/history/transformation-settings");
    const path = `/api/history/transformation-settings/${earlier.revision}`;
    expect((await fetchBody(path)).heading).toBe("VERWANDLUNGEN");
    const { headers } = await owner.get("/api/transformation-settings");
    const restored = await owner.post(`${path}/restore`, undefined, {
      "if-match": headers.get("etag")!,
    });
    expect([restored.status, restored.body.heading]).toEqual([200, "VERWANDLUNGEN"]);
  });

  test("a form template's options and conditions follow the language, and are accepted as shown", async () => {
    await deleteForms(site);
    const { form, fields } = await makeForm(FORM_TEMPLATES[0]);
    const times = fields.find(({ fieldType }) => fieldType === "radio");
    expect(times.options.split("\n")[0]).toBe("Werktags vormittags");
    const step = (
      await owner.post("/api/form-steps", { formId: form.id, title: "Xyzzy", stepOrder: 3 })
    ).body;
    const showIf = { fieldId: times.id, values: ["Werktags vormittags"] };
    expect((await owner.put(`/api/form-steps/${step.id}`, { showIf })).body.showIf).toEqual(showIf);
    await setLanguage("es");
    const [, , third] = await fetchBody(`/api/form-steps/${form.id}`);
    expect(third.showIf.values).toEqual(["Entre semana por la mañana"]);
    const required = fields.filter(({ isRequired, isActive }) => isRequired && isActive);
    const data = Object.fromEntries(
      required.map(({ id, fieldType }) => [id, fieldType === "email" ? "a@example.com" : "Xyzzy"]),
    );
    const body = { formId: form.id, data: { ...data, [times.id]: "Entre semana por la mañana" } };
    expect((await site.visitor().post("/api/form-submissions", body)).status).toBe(201);
  });
});
