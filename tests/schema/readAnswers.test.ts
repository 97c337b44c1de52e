/** Answers as people paste and type them, and their stored forms, from bug reports of other products. */
import { expect, test } from "bun:test";
import { checkAnswers } from "../../src/schema/enquiry/answers.ts";
import { checkChange, checkNewItem } from "../../src/schema/entities/check.ts";
import { COUNTRIES } from "../../src/schema/core/countries.ts";
import { entities } from "../../src/schema/index.ts";
import type { FieldType } from "../../src/schema/enquiry/questions.ts";

function readTypedAnswer(fieldType: FieldType, typed: string, options = "") {
  const question = { id: "q", fieldType, label: "Q", isRequired: true, options };
  const checked = checkAnswers([question], { q: typed }, COUNTRIES);
  return checked.ok ? checked.answers.q : { refused: checked.error };
}

const AMBIGUOUS = "This could mean two different numbers. Enter it as one of these:";

test.each([
  ["1,5", "1.5"],
  ["1\u202f500", "1500"],
  ["1.500,00", "1500"],
  ["€500", "500"],
  ["-€500", "-500"],
  ["\u22125", "-5"],
  ["1,234,567.89", "1234567.89"],
  ["1'500.50", "1500.5"],
  ["CHF 1’500.–", "1500"],
  ["500,-", "500"],
  ["1,50,000", "150000"],
  ["0,125", "0.125"],
  ["٥٠", "50"],
  ["１２．５", "12.5"],
  ["1e3", "1e3"],
  ["٣٫١٤", "3.14"],
  ["١٬٠٠٠٬٠٠٠", "1000000"],
  ["R 1 500,00", "1500"],
  ["Rs. 1,50,000", "150000"],
  // A dash for no decimals settles which separator is which.
  ["1.500,-", "1500"],
  ["500:- kr", "500"],
  ["Rs 500/-", "500"],
  ["1′500", "1500"],
  ["1.500.-", "1500"],
  ["1,500,-", "1500"],
  ["Rs 1,500/-", "1500"],
  ["1.500:-", "1500"],
])("the number %j is read as %s", (typed, stored) => {
  expect(readTypedAnswer("number", typed)).toBe(stored);
});

test.each([
  ["1,234", `${AMBIGUOUS} 1234 / 1.2340.`],
  ["1.500", `${AMBIGUOUS} 1500 / 1.5.`],
  ["€12,000", `${AMBIGUOUS} 12000 / 12.0.`],
])("the number %j is refused with both readings, each of which is accepted", (typed, refused) => {
  expect(readTypedAnswer("number", typed)).toEqual({ refused });
  for (const reading of refused.slice(AMBIGUOUS.length + 1, -1).split(" / "))
    expect(readTypedAnswer("number", reading)).toBe(reading);
});

test.each(["12 34", "1,2,3", "10-12", "ca. 50", "€", "1.5.2", ",-", ".-"])(
  "the answer %j is refused as a number",
  (typed) => {
    expect(readTypedAnswer("number", typed)).toEqual({
      refused: "Enter a number such as 12 or 3.5.",
    });
  },
);

test.each([
  "ann@example.com\u200b",
  "\u200bann@example.com",
  "\u202aann@example.com\u202c",
  "ann@exam\u00adple.com",
  "mailto:ann@example.com",
  "<ann@example.com>",
  "Ann Lee <ann@example.com>",
  '"Lee, Ann" <ann@example.com>',
  "ann@example.com.",
  "ann＠example．com",
  "ann @ example.com",
  "'ann@example.com'",
  "“ann@example.com”",
  "[ann@example.com](mailto:ann@example.com)",
  "<mailto:ann@example.com>",
  "MAILTO:%20ann@example%2Ecom%20?subject=50%25",
  "mailto://ann@example.com",
  "ann%40example.com",
  "mailto:ann%E2%80%8B@example.com",
  // As Gmail and Outlook copy it when they know no name.
  "ann@example.com <ann@example.com>",
  '"Ann @ home" <ann@example.com>;',
])("the email %j is read as ann@example.com, in a form and on the mailing list", (typed) => {
  expect(readTypedAnswer("email", typed)).toBe("ann@example.com");
  const listed = checkNewItem(entities.emailSubscriptions, { email: typed });
  expect(listed).toMatchObject({ ok: true, values: { email: "ann@example.com" } });
});

test.each([
  ["ann@müller.example", "ann@xn--mller-kva.example"],
  ["ann@例え.jp", "ann@xn--r8jz45g.jp"],
])("the domain of the email address %s is stored in ASCII", (typed, stored) => {
  expect(readTypedAnswer("email", typed)).toBe(stored);
});

test.each([
  "änn@example.com",
  "ann@example.com, bob@example.com",
  "ann@exa mple.com",
  "ann",
  "ann@example..com",
  "ann@@example.com",
  "ann@localhost",
  "E-mail: ann@example.com",
  "''",
  "()",
])("the email address %j, which can't receive mail, is refused with a message", (typed) => {
  const refused = "Enter an email address such as name@example.com.";
  expect(readTypedAnswer("email", typed)).toEqual({ refused });
});

const ADDRESSES = [
  ["instagram.com/annlee", "https://instagram.com/annlee"],
  ["www.example.com", "https://www.example.com"],
  ["Example.com/Reel?a=1", "https://Example.com/Reel?a=1"],
  ["http://example.com", "http://example.com"],
  ["<https://example.com>", "https://example.com"],
  ["https://https://example.com", "https://example.com"],
  ["example.com:8080/a", "https://example.com:8080/a"],
  ["müller.de", "https://müller.de"],
  ["пример.рф/а", "https://пример.рф/а"],
  ["\u200bexample.com\u00a0", "https://example.com"],
  ["example.com.", "https://example.com."],
  ["youtu.be/abc?t=1&x=2", "https://youtu.be/abc?t=1&x=2"],
  ["https://www.instagram.com/annlee?igsh=MQ==", "https://www.instagram.com/annlee?igsh=MQ=="],
  ["“https://example.com”", "https://example.com"],
  ["[My site](https://example.com/a)", "https://example.com/a"],
  ["https://exam\u00adple.com", "https://example.com"],
  ["ｅｘａｍｐｌｅ．ｃｏｍ", "https://example.com"],
  ["ｅｘａｍｐｌｅ．ｃｏｍ／ａ", "https://example.com/a"],
  ["www．example．com", "https://www.example.com"],
  ["www。example。com/a。b", "https://www.example.com/a。b"],
  ["https：／／example．com/？", "https://example.com/？"],
  ["(https://example.com/a),", "https://example.com/a"],
  ["https://example.com/Lee_Jr.", "https://example.com/Lee_Jr."],
  ["https://example.com/\u2028", "https://example.com/"],
] as const;
test.each(ADDRESSES)("the link %j of a visitor or owner is stored as %s", (typed, stored) => {
  expect(readTypedAnswer("link", typed)).toBe(stored);
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
  "https ://example.com",
  "http//example.com",
  "ftp://example.com",
  "https://example.com/a\n/b",
  "127.0.0.1",
])("the answer %j is refused as a link", (typed) =>
  expect(readTypedAnswer("link", typed)).toEqual({
    refused: "Enter a full link that starts with https://.",
  }),
);

test.each([
  ["instagram", "@annlee", "https://instagram.com/annlee"],
  ["tiktok", "@annlee", "https://tiktok.com/@annlee"],
  ["youtube", "annlee", "https://youtube.com/@annlee"],
  ["instagram", "instagram.com/annlee", "https://instagram.com/annlee"],
  ["instagram", "www.instagram.com/annlee", "https://www.instagram.com/annlee"],
  ["website", "annlee.example", "https://annlee.example"],
  ["instagram", "＠annlee", "https://instagram.com/annlee"],
  // After MorpheApp/morphe-patches#3018: YouTube's names have letters of every script.
  ["youtube", "@อนุรักน์โชคชัย", "https://youtube.com/@อนุรักน์โชคชัย"],
  ["linkedin", "jörg-lee", "https://linkedin.com/in/jörg-lee"],
])("a connect link to %s typed as %j is stored as %s", (platform, url, stored) => {
  const checked = checkNewItem(entities.connectLinks, { platform, url, displayText: "Me" });
  expect(checked).toMatchObject({ ok: true, values: { url: stored } });
});

test.each([
  ["020 7946 0000 ext 12", "020 7946 0000 ext 12"],
  ["030 1234 DW 12", "030 1234 DW 12"],
  ["٠١٢٣٤٥٦٧٨", "012345678"],
  ["０９０-１２３４-５６７８", "090-1234-5678"],
  ["020–7946–0000", "020-7946-0000"],
  ["\u202d+44 7700 900123\u202c", "+44 7700 900123"],
  ["(+44) 7700 900123", "(+44) 7700 900123"],
  ["tel:+447700900123", "+447700900123"],
  ["+1 415-555-2671 ext. 12", "+1 415-555-2671 ext. 12"],
  ["+1\ufe0d-555-123-4567", "+1-555-123-4567"],
  ["030 / 12 34 56", "030 / 12 34 56"],
  ["+44 20 7946 0000;ext=12", "+44 20 7946 0000;ext=12"],
  ["+33 (0)6 12 34 56 78", "+33 (0)6 12 34 56 78"],
  ["Tel. 020 7946 0000", "020 7946 0000"],
  ["WhatsApp +44 7700 900123", "+44 7700 900123"],
  ["☎️ 020 7946 0000", "020 7946 0000"],
  // Labels, schemes and extensions of other languages (libphonenumber has these too), and a cell of a spreadsheet.
  ["Phone number: 020 7946 0000", "020 7946 0000"],
  ["Móvil: 612 34 56 78", "612 34 56 78"],
  ["Тел.: +7 900 800 70 60", "+7 900 800 70 60"],
  ["电话：010-12345678", "010-12345678"],
  ["Téléphone 06 12 34 56 78", "06 12 34 56 78"],
  ["tel://+447700900123", "+447700900123"],
  ["callto:+447700900123", "+447700900123"],
  ["https://wa.me/447700900123", "+447700900123"],
  ["'+44 7700 900123;", "+44 7700 900123"],
  ["020 7946 0000 (ext. 12)", "020 7946 0000 (ext. 12)"],
  ["020 7946 0000 extensión 12", "020 7946 0000 extensión 12"],
  ["020 7946 0000 anexo 12", "020 7946 0000 anexo 12"],
  ["03-1234-5678 内線12", "03-1234-5678 内線12"],
  ["06·12·34·56·78", "06·12·34·56·78"],
  ["044’123’45’67", "044’123’45’67"],
])("the phone number %j is stored as %j", (typed, stored) => {
  expect(readTypedAnswer("phone", typed)).toBe(stored);
});

test.each(["1-800-FLOWERS", "ask Ann", "Ann: none", "wa.me/message/ABC", "12 weeks"])(
  "the answer %j is refused as a phone number",
  (typed) =>
    expect(readTypedAnswer("phone", typed)).toEqual({
      refused: "Enter a phone number using only digits, spaces and +.",
    }),
);

test.each(["+44Mobile: 07700 900123", "+44'07700 900123", "+44T: (0)7700 900123;"])(
  "a label between the dial prefix and the phone number is removed: %j",
  (typed) =>
    expect(readTypedAnswer("international_phone", typed)).toMatch(/^\+44 \(?0\)?7700 900123$/),
);

test.each([
  ["one\u000btwo", "one\ntwo"],
  ["one\u2028two\u2029three", "one\ntwo\nthree"],
  ["one\ftwo", "one\ntwo"],
  ["one\r\ntwo\rthree", "one\ntwo\nthree"],
  ["\u200eAnn\u200b Lee\u2060", "Ann Lee"],
  ["Zoe\u0308", "Zoë"],
  ["non\u001ebreaking", "non-breaking"],
  ["❤️ 5️⃣ 👩‍👩‍👧", "❤️ 5️⃣ 👩‍👩‍👧"],
  ["میخواهم\u200cها", "میخواهم\u200cها"],
  ["\ufeffHello", "Hello"],
  ["a\u00a0b", "a\u00a0b"],
  ["\u1112\u1161\u11ab", "한"],
  [
    "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
  ],
  ["hi\u{e0068}\u{e0069}\u{e0001} there", "hi there"],
  ["क्\u200dष", "क्\u200dष"],
  ["x\u0336y\u0336", "x\u0336y\u0336"],
  ["\u3000Ann\u3000", "Ann"],
])("the text %j is stored as %j, whether a visitor or the owner typed it", (typed, stored) => {
  expect(readTypedAnswer("textarea", typed)).toBe(stored);
  const title = checkChange(entities.hero, { mainTitle: typed });
  expect(title).toMatchObject({ ok: true, values: { mainTitle: stored } });
});

test("an answer that consists only of invisible characters counts as missing", () => {
  for (const typed of [
    "\u200b\u2060 \ufeff",
    "\u00ad",
    "\u2800",
    "\u3164\u115f",
    "\u{e0061}",
    "\u00a0\u3000",
  ])
    expect(readTypedAnswer("text", typed)).toEqual({ refused: "Q is required" });
});

test("a chosen option is recognized whether its accents are separate characters or not", () => {
  expect(readTypedAnswer("select", "Caf\u00e9", "Cafe\u0301\nBar")).toBe("Caf\u00e9");
});

test("a date typed in Arabic digits is understood", () => {
  expect(readTypedAnswer("date", "٢٠٢٨-٠٢-٢٩")).toBe("2028-02-29");
});
