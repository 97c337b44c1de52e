/**
 * Whatever a stranger sends, this thread is busy at most five times as long as with as many bytes of plain text:
 * JSON, forms, headers and addresses, refused ones included. The shortest of several tries counts, since other work
 * lengthens some. hostileTexts.test.ts has what Unicode algorithms process slowly.
 */
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { onlyForm, EVERY_KIND } from "../support/enquiryForm.ts";
import { requestTo } from "../support/hostileCalls.ts";
import { siteForAll } from "../support/siteForAll.ts";
import { startSite } from "../support/startSite.ts";

setDefaultTimeout(300_000);

const site = siteForAll(() => startSite({ env: { RATE_LIMIT: "off" } }));

beforeAll(() => onlyForm(site, EVERY_KIND));

/** In bytes. */
const SIZE = 63 * 1024;
const MAX_RATIO = 5;
/** A garbage collection takes half a millisecond. */
const TOLERANCE_MS = 0.5;
const TRIES = 15;
const ALL = process.env.HOSTILE_TEXTS === "all";

/** The shortest of several tries; stops at one that is short `enough`. */
async function costOf(send: () => Request, enough = 0): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let left = TRIES; left > 0 && least > enough; left--) {
    const request = send();
    const before = performance.now();
    await (await site.app.handle(request)).arrayBuffer();
    least = Math.min(least, performance.now() - before);
  }
  return least;
}

type Call = (text: string) => Request;

/** Those of `texts` that cost too much, as multiples of plain text, the most expensive first. */
async function tooDear(call: Call, plain: string, texts: Readonly<Record<string, string>>) {
  const usual = await costOf(() => call(plain));
  const most = usual * MAX_RATIO + TOLERANCE_MS;
  const costs: [string, number][] = [];
  for (const [name, text] of Object.entries(texts)) {
    let cost = await costOf(() => call(text), ALL ? 0 : most);
    for (let again = 0; again < 3 && cost > most; again++)
      cost = Math.min(cost, await costOf(() => call(text), most));
    costs.push([name, cost]);
  }
  if (ALL)
    console.log(
      usual,
      costs.toSorted(([, a], [, b]) => b - a),
    );
  return costs
    .filter(([, cost]) => cost > most)
    .map(([name, cost]) => `${name}: ${cost} ms, ${(cost / usual).toFixed(1)} times plain text`);
}

const filled = (piece: string, size = SIZE) => piece.repeat(Math.floor(size / piece.length));
const inList = (piece: string) => `{"x":[${filled(`${piece},`)}1]}`;
const keys = (size: number, value: string) => {
  let text = "";
  for (let at = 0; text.length < size; at++) text += `"${at.toString(36)}":${value},`;
  return `{${text}"z":1}`;
};

const JSON_BODIES: Readonly<Record<string, string>> = {
  "empty lists": inList("[]"),
  "empty objects": inList("{}"),
  "lists in lists": inList("[[[1]]]"),
  objects: inList('{"a":1}'),
  "small numbers": inList("1"),
  "long numbers": inList("1.2345678901234567e-308"),
  literals: inList("null"),
  texts: inList('""'),
  "one long number": `{"x":${filled("1")}}`,
  "one long fraction": `{"x":0.${filled("1")}}`,
  "escaped letters": `{"x":"${filled("\\u0041")}"}`,
  "escaped lines": `{"x":"${filled("\\n")}"}`,
  "escaped halves of signs": `{"x":"${filled("\\ud800")}"}`,
  keys: keys(SIZE, "1"),
  "2,000 keys": keys(20_000, "1"),
  "keys with lists": keys(SIZE, "[]"),
  "the same key": `{${filled('"a":1,')}"b":1}`,
  "a deep nest": filled("["),
  "a deep nest of objects": filled('{"a":'),
  brackets: filled("[]"),
  commas: filled(","),
  quotes: filled('"'),
  spaces: filled(" "),
  broken: `{"x":"${filled("a")}`,
};

const asJson =
  (path: string): Call =>
  (body) =>
    requestTo({ method: "POST", path }, path, { body });

const PLAIN_JSON = `{"x":"${filled("a")}"}`;

test.each([
  ["/api/auth/login"],
  ["/api/auth/forgotten"],
  ["/api/join"],
  ["/api/form-submissions"],
  ["/api/email-subscriptions"],
])("JSON of any shape costs no more than its share of processor time at %s", async (path) => {
  expect(await tooDear(asJson(path), PLAIN_JSON, JSON_BODIES)).toEqual([]);
});

const part = (head: string, held = "") => `--b\r\n${head}\r\n\r\n${held}\r\n`;
const NAMED = 'Content-Disposition: form-data; name="a"';
const inParts = (text: string) => `${text}--b--\r\n`;

test.each(["/coaching", "/times", "/say"])(
  "form bodies of any shape cost no more than their share of processor time at %s",
  async (path) => {
    const call = (type: string): Call => {
      return (body) => requestTo({ method: "POST", path }, path, { body, type });
    };
    const size = path === "/times" ? 7_000 : SIZE;
    const fields = {
      "names alone": filled("a&", size),
      pairs: filled("a=b&", size),
      separators: filled("&", size),
      "equal signs": filled("=", size),
      percents: `a=${filled("%", size)}`,
    };
    const typed = call("application/x-www-form-urlencoded");
    expect(await tooDear(typed, `a=${filled("a", size)}`, fields)).toEqual([]);
    const parts = {
      parts: inParts(filled(part(NAMED), size)),
      files: inParts(filled(part(`${NAMED}; filename="b"`, "x"), size)),
      headers: inParts(part(`${filled("A: b\r\n", size)}${NAMED}`, "x")),
      boundaries: filled("--b\r\n", size),
      "boundaries in a line": filled("--b", size),
      "broken off": part(NAMED, filled("\r\n--", size)),
    };
    const plain = inParts(part(NAMED, filled("a", size)));
    expect(await tooDear(call("multipart/form-data; boundary=b"), plain, parts)).toEqual([]);
  },
);

/** Bun accepts 16 KB of headers. */
const IN_HEADER = 15_000;

test("headers and addresses of any shape cost no more than their share of processor time", async () => {
  const names = "cookie accept-encoding if-none-match x-forwarded-for origin accept-language".split(
    " ",
  );
  const pieces = {
    semicolons: "a;",
    cookies: "a=b; ",
    commas: ",",
    tags: '"a",',
    codings: "gzip;q=0.1,",
    addresses: "1.2.3.4,",
    percents: "%41",
  };
  for (const name of [...names, "user-agent", "authorization", "referer"]) {
    const call: Call = (text) =>
      requestTo({ method: "GET", path: "" }, "/api/hero", { headers: { [name]: text } });
    const texts = Object.entries(pieces).map(([each, piece]) => [each, filled(piece, IN_HEADER)]);
    const costly = await tooDear(call, filled("a", IN_HEADER), Object.fromEntries(texts));
    expect([name, costly]).toEqual([name, []]);
  }
  const hosts = {
    marks: "http://a" + filled("%CC%95", 7000) + filled("%CC%96", 7000),
    codes: `http://${filled("xn--ab9.", IN_HEADER)}`,
  };
  const origin: Call = (text) =>
    requestTo({ method: "POST", path: "" }, "/api/auth/login", {
      body: "{}",
      headers: { origin: text },
    });
  expect(await tooDear(origin, `http://${filled("a", IN_HEADER)}`, hosts)).toEqual([]);
  const query: Call = (text) => requestTo({ method: "GET", path: "" }, `/api/hero?${text}`);
  const queries = { names: filled("a&", IN_HEADER), percents: filled("%41", IN_HEADER) };
  expect(await tooDear(query, filled("a", IN_HEADER), queries)).toEqual([]);
});
