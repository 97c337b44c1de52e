/** Answers as people paste and type them, and what each is stored as; after reports of other products' users. */
import { expect, test } from "bun:test";
import { checkAnswers } from "../../src/schema/answers.ts";
import { checkChange, checkNew } from "../../src/schema/check.ts";
import { COUNTRIES } from "../../src/schema/countries.ts";
import { entities } from "../../src/schema/index.ts";
import type { FieldType } from "../../src/schema/questions.ts";

function read(fieldType: FieldType, typed: string, options = "") {
  const question = { id: "q", fieldType, label: "Q", isRequired: true, options };
  const checked = checkAnswers([question], { q: typed }, COUNTRIES);
  return checked.ok ? checked.answers.q : { refused: checked.error };
}

const TWO_WAYS = "This can be read in two ways. Enter it as one of these:";

test.each([
  ["1,5", "1.5"],
  ["1\u202f500", "1500"],
  ["1.500,00", "1500"],
  ["€500", "500"],
  ["500 €", "500"],
  ["-€500", "-500"],
  ["\u22125", "-5"],
  ["1,234,567.89", "1234567.89"],
  ["1.234.567", "1234567"],
  ["1 234,5", "1234.5"],
  ["1'500.50", "1500.5"],
  ["CHF 1’500.–", "1500"],
  ["500,-", "500"],
  ["1,50,000", "150000"],
  ["US$ 1,500.50", "1500.5"],
  ["R$ 1.000,50", "1000.5"],
  ["500 kr", "500"],
  ["0,125", "0.125"],
  ["٥٠", "50"],
  ["१२", "12"],
  ["１２．５", "12.5"],
  ["9,99", "9.99"],
  ["1000,00 EUR", "1000"],
  ["€ 1234.56", "1234.56"],
  ["1.234,5", "1234.5"],
  ["42", "42"],
  ["1e3", "1e3"],
])("the number %j is read as %s", (typed, stored) => {
  expect(read("number", typed)).toBe(stored);
});

test.each([
  ["1,234", `${TWO_WAYS} 1234 / 1.2340.`],
  ["1.500", `${TWO_WAYS} 1500 / 1.5.`],
  ["€12,000", `${TWO_WAYS} 12000 / 12.0.`],
])("the number %j is refused with both readings, which are taken", (typed, refused) => {
  expect(read("number", typed)).toEqual({ refused });
  for (const reading of refused.slice(TWO_WAYS.length + 1, -1).split(" / "))
    expect(read("number", reading)).toBe(reading);
});

test.each(["12 34", "1,2,3", "10-12", "ca. 50", "€", "1.5.2"])("%j is no number", (typed) => {
  expect(read("number", typed)).toEqual({ refused: "Enter a number such as 12 or 3.5." });
});

test.each([
  "ann@example.com\u200b",
  "\u200bann@example.com",
  "ann\u00a0@example.com",
  "\ufeffann@example.com",
  "\u202aann@example.com\u202c",
  "ann@example.com\u2060",
  "ann@exam\u00adple.com",
  "mailto:ann@example.com",
  "MAILTO:ann@example.com?subject=Hello",
  "<ann@example.com>",
  "Ann Lee <ann@example.com>",
  '"Lee, Ann" <ann@example.com>',
  "ann@example.com.",
  "ann@example.com,",
  "ann@example.com;",
  "ann＠example．com",
  "ann @ example.com",
  "\tann@example.com\n",
  "an\u200cn\u200d@exa\u180emple.com",
  "ann@example.com\u00a0",
])("the email %j is read as ann@example.com, in a form and on the mailing list", (typed) => {
  expect(read("email", typed)).toBe("ann@example.com");
  const listed = checkNew(entities.emailSubscriptions, { email: typed });
  expect(listed).toMatchObject({ ok: true, values: { email: "ann@example.com" } });
});

test.each([
  ["ann@müller.example", "ann@xn--mller-kva.example"],
  ["ann@例え.jp", "ann@xn--r8jz45g.jp"],
])("the domain of %s is stored in ASCII", (typed, stored) => {
  expect(read("email", typed)).toBe(stored);
});

test.each(["änn@example.com", "ann@example.com, bob@example.com", "ann@exa mple.com", "ann"])(
  "%j, which can't be written to, is refused in words",
  (typed) => {
    const refused = "Enter an email address such as name@example.com.";
    expect(read("email", typed)).toEqual({ refused });
  },
);

const ADDRESSES = [
  ["instagram.com/annlee", "https://instagram.com/annlee"],
  ["www.example.com", "https://www.example.com"],
  ["Example.com/Reel?a=1", "https://Example.com/Reel?a=1"],
  ["http://example.com", "http://example.com"],
  ["HTTPS://example.com", "HTTPS://example.com"],
  ["<https://example.com>", "https://example.com"],
  ["https://https://example.com", "https://example.com"],
  ["https://http://example.com", "http://example.com"],
  ["example.com:8080/a", "https://example.com:8080/a"],
  ["müller.de", "https://müller.de"],
  ["пример.рф/а", "https://пример.рф/а"],
  ["\u200bexample.com\u00a0", "https://example.com"],
  ["example.com\n", "https://example.com"],
] as const;
test.each(ADDRESSES)("the link %j is read as %s, of visitors and owners", (typed, stored) => {
  expect(read("link", typed)).toBe(stored);
  expect(checkChange(entities.events, { ticketUrl: typed })).toMatchObject({
    ok: true,
    values: { ticketUrl: stored },
  });
});

test.each([
  "annlee",
  "@annlee",
  "ann@example.com",
  "javascript:alert(1)",
  "//example.com",
  "a b.com",
])("%j is no link", (typed) =>
  expect(read("link", typed)).toEqual({
    refused: "Enter a full link that starts with https://.",
  }),
);

test.each([
  ["instagram", "@annlee", "https://instagram.com/annlee"],
  ["instagram", "ann.lee", "https://instagram.com/ann.lee"],
  ["tiktok", "@annlee", "https://tiktok.com/@annlee"],
  ["youtube", "annlee", "https://youtube.com/@annlee"],
  ["linkedin", "ann-lee", "https://linkedin.com/in/ann-lee"],
  ["instagram", "instagram.com/annlee", "https://instagram.com/annlee"],
  ["instagram", "www.instagram.com/annlee", "https://www.instagram.com/annlee"],
  ["website", "annlee.example", "https://annlee.example"],
])("a connect link to %s by %j is %s", (platform, url, stored) => {
  const checked = checkNew(entities.connectLinks, { platform, url, displayText: "Me" });
  expect(checked).toMatchObject({ ok: true, values: { url: stored } });
});

test.each([
  ["020 7946 0000 ext 12", "020 7946 0000 ext 12"],
  ["020 7946 0000 x12", "020 7946 0000 x12"],
  ["020 7946 0000 #12", "020 7946 0000 #12"],
  ["030 1234 DW 12", "030 1234 DW 12"],
  ["٠١٢٣٤٥٦٧٨", "012345678"],
  ["۰۱۲۳۴۵۶۷۸", "012345678"],
  ["０９０-１２３４-５６７８", "090-1234-5678"],
  ["020–7946–0000", "020-7946-0000"],
  ["020\u20117946\u20110000", "020-7946-0000"],
  ["\u202d+44 7700 900123\u202c", "+44 7700 900123"],
  ["\u2068+44 7700 900123\u2069", "+44 7700 900123"],
  ["+44\u00a07700\u2009900123", "+44 7700 900123"],
  ["(+44) 7700 900123", "(+44) 7700 900123"],
  ["tel:+447700900123", "+447700900123"],
  ["(020) 7946 0000", "(020) 7946 0000"],
])("the phone number %j is stored as %j", (typed, stored) => {
  expect(read("phone", typed)).toBe(stored);
});

test.each([
  ["one\u000btwo", "one\ntwo"],
  ["one\u2028two\u2029three", "one\ntwo\nthree"],
  ["one\ftwo", "one\ntwo"],
  ["one\r\ntwo\rthree", "one\ntwo\nthree"],
  ["\u200eAnn\u200b Lee\u2060", "Ann Lee"],
  ["Zoe\u0308", "Zoë"],
  ["\u2067Ann\u2069", "Ann"],
  ["non\u001ebreaking", "non-breaking"],
  ["❤️ 5️⃣ 👩‍👩‍👧", "❤️ 5️⃣ 👩‍👩‍👧"],
  ["שלום\u200e", "שלום\u200e"],
  ["میخواهم\u200cها", "میخواهم\u200cها"],
])("the text %j is stored as %j, of visitors and owners", (typed, stored) => {
  expect(read("textarea", typed)).toBe(stored);
  const title = checkChange(entities.hero, { mainTitle: typed });
  expect(title).toMatchObject({ ok: true, values: { mainTitle: stored } });
});

test("an answer of invisible marks alone is none", () => {
  expect(read("text", "\u200b\u2060 \ufeff")).toEqual({ refused: "Q is required" });
});

test("an option is chosen however its letters are composed", () => {
  expect(read("select", "Caf\u00e9", "Cafe\u0301\nBar")).toBe("Caf\u00e9");
});

test("dates in other digits are read", () => {
  expect(read("date", "٢٠٢٨-٠٢-٢٩")).toBe("2028-02-29");
});
