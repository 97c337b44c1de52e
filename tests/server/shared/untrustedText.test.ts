/** Text typed about someone else can't be used to send them a message in the site's name. */
import { expect, test } from "bun:test";
import { sanitizeName, hasLinks, replaceLinks } from "../../../src/server/shared/untrustedText.ts";

test.each([
  "Zoë",
  "Jean-Luc",
  "Jean\u2010Luc",
  "O’Hara",
  "van 't Hoff",
  "Mary Ann",
  "A.J.",
  "J. R. R. Lee",
  "محمد",
  // Between parts of Persian names, and in Indian conjuncts (permissionlesstech/bitchat#1699).
  "علی\u200cرضا",
  "क्\u200dषमा",
  "Владимир",
  "小明",
  "阿依古丽·买买提",
  "アン・リー",
  "ג׳ון",
  "ア\u3099ン・マリー・リー",
  "א. ב. יהושע",
  "மு. கருணாநிதி",
  "ა. ბ. კალანდაძე",
  "E\u0301. Zola",
  "ǅ. Perić",
  "ʻIolani",
  "ओम",
  "Gal·la",
])("%s is accepted as a name", (name) => {
  expect(sanitizeName(` ${name} `)).toBe(name);
});

test.each([
  "",
  null,
  "evil.com",
  "evil。com",
  "evil․com",
  "<a href=x>Ann</a>",
  "Ann has won 500",
  "Call 555",
  "a@b",
  "x/y",
  "Ann!",
  "раураl",
  "-Ann",
  "J.de",
  "A.B.com",
  "Ann\u200c\u200c\u200cLee",
  "Ann\u200dLee",
  "e.v.i.l.c.o.m",
  "evil·com",
  "evil・com",
  "paypaq\u0308·com",
  "evil\u0301\u0323・com",
  "ʻ·com",
  "evilʻ·com",
  "א.ב.גד",
  "小.明.公司",
  "A".repeat(41),
])("%j isn't accepted as a name", (typed) => {
  expect(sanitizeName(typed)).toBe(null);
});

test.each([
  ["see https://evil.example/x?y=1 now", "see (a link) now"],
  ["see evil.com/login", "see (a link)"],
  ["mail me@evil.com", "mail (a link)"],
  ["at evil。com", "at (a link)"],
  ["javascript://x", "(a link)"],
  ["\\\\server\\share", "(a link)"],
  ["10.0.0.1", "(a link)"],
  ["at 7.30 p.m., e.g. on 1.5.2027, for 3.50", "at 7.30 p.m., e.g. on 1.5.2027, for 3.50"],
])("the typed text %j is quoted as %j, without links", (typed, quoted) => {
  expect(replaceLinks(typed, "(a link)")).toBe(quoted);
});

test.each([
  "J.de Vries",
  "A.B.de la Cruz",
  "It went well.and then we laughed",
  "It was well done.and",
  "Set at 5 p.m. in St.louis, i.e.at home",
  "Спасибо.всё было отлично",
  "Great.He was on time.We laughed.",
  "We met @ the gym",
])("no link is found in the text: %s", (typed) => {
  expect(hasLinks(typed)).toBe(false);
});

test.each([
  "see example.com",
  "see example.com.",
  "(my-shop.co.uk)",
  "example.info/x",
  "t.me/x",
  "x.com",
  "firma.de",
  "and then.it",
  "www.x",
  "x@y.z",
  "http://localhost",
  "xn--e1afmkfd.xn--p1ai",
  "пример.рф",
  "münchen.de",
  "例え.com",
  "10.0.0.1",
])("a link is found in the text: %s", (typed) => {
  expect(hasLinks(typed)).toBe(true);
});
