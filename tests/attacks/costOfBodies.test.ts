/**
 * Whatever a stranger sends, the server is busy at most five times as long as with as many bytes of plain text: JSON,
 * forms, headers and addresses, also those that it refuses. The shortest of several tries counts, since other work
 * lengthens some. hostileTexts.test.ts tests the texts that Unicode algorithms process slowly.
 */
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { replaceForms, EVERY_KIND_STEPS } from "../support/enquiryForm.ts";
import { createRequest } from "../support/hostileCalls.ts";
import { setUpSiteForAll } from "../support/setUpSite.ts";
import { startSite } from "../support/startSite.ts";

setDefaultTimeout(300_000);

const site = setUpSiteForAll(() => startSite({ env: { RATE_LIMIT: "off" } }));

beforeAll(() => replaceForms(site, EVERY_KIND_STEPS));

const SIZE_BYTES = 63 * 1024;
const MAX_RATIO = 5;
/** A garbage collection takes half a millisecond. */
const TOLERANCE_MS = 0.5;
const ATTEMPTS = 15;
const IS_COMPLETE = process.env.HOSTILE_TEXTS === "all";

/** The shortest time of several tries, in milliseconds; stops as soon as one takes at most `enough`. */
async function measureCost(send: () => Request, enough = 0): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let left = ATTEMPTS; left > 0 && least > enough; left--) {
    const request = send();
    const before = performance.now();
    await (await site.app.handle(request)).arrayBuffer();
    least = Math.min(least, performance.now() - before);
  }
  return least;
}

type Call = (text: string) => Request;

/** The `texts` that cost too much, as multiples of plain text, the most expensive first. */
async function findTooExpensive(
  call: Call,
  plain: string,
  texts: Readonly<Record<string, string>>,
) {
  const usual = await measureCost(() => call(plain));
  const most = usual * MAX_RATIO + TOLERANCE_MS;
  const costs: [string, number][] = [];
  for (const [name, text] of Object.entries(texts)) {
    let cost = await measureCost(() => call(text), IS_COMPLETE ? 0 : most);
    for (let again = 0; again < 3 && cost > most; again++)
      cost = Math.min(cost, await measureCost(() => call(text), most));
    costs.push([name, cost]);
  }
  if (IS_COMPLETE)
    console.log(
      usual,
      costs.toSorted(([, a], [, b]) => b - a),
    );
  return costs
    .filter(([, cost]) => cost > most)
    .map(([name, cost]) => `${name}: ${cost} ms, ${(cost / usual).toFixed(1)} times plain text`);
}

const repeat = (piece: string, size = SIZE_BYTES) => piece.repeat(Math.floor(size / piece.length));
const wrapInList = (piece: string) => `{"x":[${repeat(`${piece},`)}1]}`;
const createKeys = (size: number, value: string) => {
  let text = "";
  for (let at = 0; text.length < size; at++) text += `"${at.toString(36)}":${value},`;
  return `{${text}"z":1}`;
};

const JSON_BODIES: Readonly<Record<string, string>> = {
  "empty lists": wrapInList("[]"),
  "empty objects": wrapInList("{}"),
  "lists in lists": wrapInList("[[[1]]]"),
  objects: wrapInList('{"a":1}'),
  "small numbers": wrapInList("1"),
  "long numbers": wrapInList("1.2345678901234567e-308"),
  literals: wrapInList("null"),
  texts: wrapInList('""'),
  "one long number": `{"x":${repeat("1")}}`,
  "one long fraction": `{"x":0.${repeat("1")}}`,
  "escaped letters": `{"x":"${repeat("\\u0041")}"}`,
  "escaped lines": `{"x":"${repeat("\\n")}"}`,
  "escaped halves of signs": `{"x":"${repeat("\\ud800")}"}`,
  keys: createKeys(SIZE_BYTES, "1"),
  "2,000 keys": createKeys(20_000, "1"),
  "keys with lists": createKeys(SIZE_BYTES, "[]"),
  "the same key": `{${repeat('"a":1,')}"b":1}`,
  "a deep nest": repeat("["),
  "a deep nest of objects": repeat('{"a":'),
  brackets: repeat("[]"),
  commas: repeat(","),
  quotes: repeat('"'),
  spaces: repeat(" "),
  broken: `{"x":"${repeat("a")}`,
};

const createJsonCall =
  (path: string): Call =>
  (body) =>
    createRequest({ method: "POST", path }, path, { body });

const PLAIN_JSON = `{"x":"${repeat("a")}"}`;

test.each([
  ["/api/auth/login"],
  ["/api/auth/forgotten"],
  ["/api/join"],
  ["/api/form-submissions"],
  ["/api/email-subscriptions"],
])("no shape of a JSON body costs too much processor time at %s", async (path) => {
  expect(await findTooExpensive(createJsonCall(path), PLAIN_JSON, JSON_BODIES)).toEqual([]);
});

const createPart = (head: string, held = "") => `--b\r\n${head}\r\n\r\n${held}\r\n`;
const NAMED = 'Content-Disposition: form-data; name="a"';
const endParts = (text: string) => `${text}--b--\r\n`;

test.each(["/coaching", "/times", "/say"])(
  "no shape of a form's body costs too much processor time at %s",
  async (path) => {
    const call = (type: string): Call => {
      return (body) => createRequest({ method: "POST", path }, path, { body, type });
    };
    const size = path === "/times" ? 7_000 : SIZE_BYTES;
    const fields = {
      "names alone": repeat("a&", size),
      pairs: repeat("a=b&", size),
      separators: repeat("&", size),
      "equal signs": repeat("=", size),
      percents: `a=${repeat("%", size)}`,
    };
    const typed = call("application/x-www-form-urlencoded");
    expect(await findTooExpensive(typed, `a=${repeat("a", size)}`, fields)).toEqual([]);
    const parts = {
      parts: endParts(repeat(createPart(NAMED), size)),
      files: endParts(repeat(createPart(`${NAMED}; filename="b"`, "x"), size)),
      headers: endParts(createPart(`${repeat("A: b\r\n", size)}${NAMED}`, "x")),
      boundaries: repeat("--b\r\n", size),
      "boundaries in a line": repeat("--b", size),
      "broken off": createPart(NAMED, repeat("\r\n--", size)),
    };
    const plain = endParts(createPart(NAMED, repeat("a", size)));
    expect(await findTooExpensive(call("multipart/form-data; boundary=b"), plain, parts)).toEqual(
      [],
    );
  },
);

/** Bun accepts 16 KB of headers. */
const MAX_HEADER_LENGTH = 15_000;

test("no shape of a request header costs too much processor time", async () => {
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
      createRequest({ method: "GET", path: "" }, "/api/hero", { headers: { [name]: text } });
    const texts = Object.entries(pieces).map(([each, piece]) => [
      each,
      repeat(piece, MAX_HEADER_LENGTH),
    ]);
    const costly = await findTooExpensive(
      call,
      repeat("a", MAX_HEADER_LENGTH),
      Object.fromEntries(texts),
    );
    expect([name, costly]).toEqual([name, []]);
  }
  const hosts = {
    marks: "http://a" + repeat("%CC%95", 7000) + repeat("%CC%96", 7000),
    codes: `http://${repeat("xn--ab9.", MAX_HEADER_LENGTH)}`,
  };
  const origin: Call = (text) =>
    createRequest({ method: "POST", path: "" }, "/api/auth/login", {
      body: "{}",
      headers: { origin: text },
    });
  expect(await findTooExpensive(origin, `http://${repeat("a", MAX_HEADER_LENGTH)}`, hosts)).toEqual(
    [],
  );
  const query: Call = (text) => createRequest({ method: "GET", path: "" }, `/api/hero?${text}`);
  const queries = {
    names: repeat("a&", MAX_HEADER_LENGTH),
    percents: repeat("%41", MAX_HEADER_LENGTH),
  };
  expect(await findTooExpensive(query, repeat("a", MAX_HEADER_LENGTH), queries)).toEqual([]);
});
