/** Typed text can't pass for another text or another address (specification, sections 5.1 and 5.7). */
import { describe, expect, test } from "bun:test";
import { checkAnswers } from "../../src/schema/enquiry/answers.ts";
import { checkChange, checkNewItem, createStoredSchema } from "../../src/schema/entities/check.ts";
import { removeInvisible, removeInvisibleIn } from "../../src/schema/core/invisibleCharacters.ts";
import { entities } from "../../src/schema/index.ts";
import { toLegacySafeUrl, toSafePictureUrl, toSafeUrl } from "../../src/schema/core/safeUrl.ts";
import * as v from "valibot";

const DISGUISED = "invoice\u202egpj.exe\u0085\u2066!\u2069";

describe("text from outside", () => {
  test.each([
    ["marks that turn the direction", "a\u202ab\u202bc\u202dd\u202ee\u202cf", "abcdef"],
    ["isolates", "a\u2066b\u2067c\u2068d\u2069e", "abcde"],
    ["C1 controls", "a\u0080b\u0085c\u009fd", "abcd"],
    ["marks of annotations", "a\ufff9b\ufffac\ufffbd", "abcd"],
    ["half a character", "a\ud800b\udc00", "a\ufffdb\ufffd"],
  ])("loses %s", (_, text, expected) => expect(removeInvisible(text)).toBe(expected));

  test.each([
    "Zoë Ångström",
    "مرحبا \u200fبك",
    "שלום\u200e",
    "👩‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "line\nbreak\tand tab",
    "re\u00adfer",
  ])("keeps %p as it is", (text) => expect(removeInvisible(text)).toBe(text));

  test("is cleaned in lists and objects too, but secrets stay as they are", () => {
    expect(removeInvisibleIn(["a\u202eb", 5, null])).toEqual(["ab", 5, null]);
    const secrets = { password: "a\u202eb", newPassword: "\u200b", secret: "\u200b" };
    expect(removeInvisibleIn({ a: { b: ["\u202ec"] }, ...secrets })).toEqual({
      a: { b: ["c"] },
      ...secrets,
    });
    for (const value of [undefined, null, true, 12])
      expect(removeInvisibleIn(value)).toBe(value as never);
  });
});

describe("disguising characters are removed from", () => {
  test.each([
    ["a title", checkChange(entities.hero, { mainTitle: DISGUISED }), "mainTitle"],
    ["a form's name", checkChange(entities.forms, { title: DISGUISED }), "title"],
    ["options", checkChange(entities.formFields, { options: [DISGUISED] }), "options"],
    ["a site's name", checkChange(entities.site, { name: DISGUISED }), "name"],
  ])("%s", (_, checked, field) =>
    expect(checked).toMatchObject({ ok: true, values: { [field]: "invoicegpj.exe!" } }),
  );

  test("an answer", () => {
    const question = {
      id: "q",
      fieldType: "text",
      label: "Q",
      isRequired: true,
      options: "",
    } as const;
    expect(checkAnswers([question], { q: DISGUISED }, [])).toEqual({
      ok: true,
      answers: { q: "invoicegpj.exe!" },
    });
  });

  test("a text of invisible characters only, which is refused as empty", () => {
    expect(checkChange(entities.hero, { mainTitle: "\u202e\u2069" })).toMatchObject({ ok: false });
  });
});

const DISGUISED_LINKS = [
  "http:example.com",
  "https:example.com/x",
  "http:/example.com",
  "https:///example.com",
  "https://bank.example@evil.example/",
  "https://user:secret@example.com/",
  "https://youtu.be/a https://youtu.be/b",
];

describe("links", () => {
  test.each(DISGUISED_LINKS)(
    "to %s are refused with a message in new content, and not shown in stored content",
    (url) => {
      expect(toSafeUrl(url)).toBeUndefined();
      expect(toSafePictureUrl(url)).toBeUndefined();
      const words = "Enter one full URL from your browser, without a username or password.";
      const link = { platform: "website", displayText: "Me" };
      for (const checked of [
        checkNewItem(entities.connectLinks, { ...link, url }),
        checkChange(entities.connectLinks, { url }),
      ])
        expect(checked).toMatchObject({ ok: false, fields: { url: words } });
      for (const checked of [
        checkChange(entities.site, { agencyUrl: url }),
        checkChange(entities.hero, { backgroundImage: url }),
      ])
        expect(checked).toMatchObject({ ok: false, error: words });
    },
  );

  test.each(DISGUISED_LINKS)("to %s, stored by an earlier release, are still read", (url) => {
    expect(toLegacySafeUrl(url)).toBe(url);
    const stored = { ...checkLink(), url, id: "1" };
    expect(v.safeParse(createStoredSchema(entities.connectLinks), [stored]).success).toBe(true);
  });

  test.each([
    "https://example.com",
    "http://example.com:8080/a?b=c@d#e",
    "https://[2001:db8::1]/",
    "/uploads/a.png",
    "mailto:ann@example.com",
    "tel:+44123",
    "https://wa.me/?text=My site https://example.com",
  ])("to %s are accepted", (url) => expect(toSafeUrl(` ${url} `)).toBe(url));
});

function checkLink(): Record<string, unknown> {
  const link = { platform: "website", displayText: "Me", url: "https://example.com/me" };
  const checked = checkNewItem(entities.connectLinks, link);
  return checked.ok ? checked.values : {};
}
