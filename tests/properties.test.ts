/**
 * Properties that pure functions have for any input. fast-check tries 300 inputs of each, always the same, and searches
 * for the smallest counterexample. `PROPERTY_RUNS=100000` tries more inputs, `PROPERTY_SEED` other ones.
 */
import { expect, test } from "bun:test";
import * as fc from "fast-check";
import Papa from "papaparse";
import { checkAnswers } from "../src/schema/enquiry/answers.ts";
import { checkChange } from "../src/schema/entities/check.ts";
import { removeInvisible } from "../src/schema/core/invisibleCharacters.ts";
import { entities } from "../src/schema/index.ts";
import { FIELD_TYPES, parseOptions, type Question } from "../src/schema/enquiry/questions.ts";
import { toSafePictureUrl, toSafeUrl } from "../src/schema/core/safeUrl.ts";
import { sanitizeHtml } from "../src/server/content/sanitizeHtml.ts";
import { readJson } from "../src/server/http/body.ts";
import { encodeText, respondConditionally } from "../src/server/http/conditionalRequests.ts";
import { isPrivateHost } from "../src/server/http/insecureConnections.ts";
import {
  createClientAddressLookup,
  createAddressMatcher,
  findEnclosingNetworks,
} from "../src/server/http/visitor.ts";
import { Refusal } from "../src/server/shared/errors.ts";
import { createCsvFormatter } from "../src/web/admin/data/csv.ts";
import { isFormulaLike } from "../src/web/admin/data/csv.ts";

const numRuns = Number(process.env["PROPERTY_RUNS"] ?? 300);
const seed = Number(process.env["PROPERTY_SEED"] ?? 1);
const assertProperty = <Values extends [unknown, ...unknown[]]>(
  property: fc.IProperty<Values> | fc.IAsyncProperty<Values>,
) => fc.assert(property as fc.IAsyncProperty<Values>, { numRuns, seed });

/** Any text, of whole characters or halves of surrogate pairs. */
const textArbitrary = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
);

const ADDRESS_PIECES = [
  ..."http https : / // \\ @ javascript data a.example ? # %2f user mailto [::1]".split(" "),
  ..."\t \u0000\u202e",
];
const addressArbitrary = fc.oneof(
  textArbitrary,
  fc.array(fc.constantFrom(...ADDRESS_PIECES)).map((all) => all.join("")),
);

test("safeUrl accepts only http, https, mail and phone links, and paths of the site", () =>
  assertProperty(
    fc.property(addressArbitrary, (input) => {
      const safe = toSafeUrl(input);
      if (safe === undefined) return;
      const url = new URL(safe, "https://own.example");
      expect(url.protocol).toBeOneOf(["http:", "https:", "mailto:", "tel:"]);
      expect([url.username, url.password]).toEqual(["", ""]);
      if (safe.startsWith("/")) expect(url.host).toBe("own.example");
      // The result is the same on any page.
      if (!safe.startsWith("/")) expect(new URL(safe, "http://x.example/y").href).toBe(url.href);
      expect(toSafeUrl(safe)).toBe(safe);
      const picture = toSafePictureUrl(input);
      if (picture !== undefined)
        expect(new URL(picture, "https://own.example").protocol).toMatch(/^https?:$/);
    }),
  ));

test("text loses only harmful characters when it is sanitized, and nothing when it is sanitized again", () =>
  assertProperty(
    fc.property(textArbitrary, (input) => {
      const once = removeInvisible(input);
      expect(once.isWellFormed()).toBe(true);
      expect(removeInvisible(once)).toBe(once);
      // Ignores marks that depend on the letters beside them.
      const composed = (value: string) =>
        value.replace(/[\ufe00-\ufe0f\u061c\u200e\u200f]/gu, "").normalize("NFC");
      const each = Array.from(input.toWellFormed(), removeInvisible).join("");
      expect(composed(once)).toBe(composed(each));
    }),
  ));

test("the check of an owner's values never throws, and accepts only values that the schema accepts", () =>
  assertProperty(
    fc.property(
      fc.dictionary(fc.constantFrom("name", "contactEmail", "agencyUrl", "x"), fc.anything()),
      (sent) => {
        const checked = checkChange(entities.site, sent);
        if (!checked.ok) return expect(Object.keys(checked.fields).length).toBeGreaterThan(0);
        expect(Object.keys(checked.values)).not.toContain("x");
        expect(checkChange(entities.site, checked.values)).toEqual(checked);
      },
    ),
  ));

const questionArbitrary = fc.record({
  id: fc.constantFrom("a", "b", "__proto__"),
  fieldType: fc.constantFrom(...FIELD_TYPES.map(({ value }) => value)),
  label: fc.constant("Question"),
  isRequired: fc.boolean(),
  options: fc.constantFrom("", "x, y", "x\ny"),
}) as fc.Arbitrary<Question>;

test("the check of answers accepts only texts for known questions, and accepts its own result unchanged", () =>
  assertProperty(
    fc.property(
      fc.uniqueArray(questionArbitrary, { selector: ({ id }) => id }),
      fc.dictionary(
        fc.constantFrom("a", "b", "c", "__proto__"),
        fc.oneof(textArbitrary, fc.anything()),
      ),
      (questions, data) => {
        const checked = checkAnswers(questions, data, []);
        if (!checked.ok) return;
        const ids = new Set(questions.map(({ id }) => id));
        for (const [id, answer] of Object.entries(checked.answers)) {
          expect(ids.has(id)).toBe(true);
          for (const each of [answer].flat()) expect(removeInvisible(each)).toBe(each);
        }
        expect(checkAnswers(questions, checked.answers, [])).toEqual(checked);
      },
    ),
  ));

test("typed options are trimmed and never empty, and are parsed to the same options again", () =>
  assertProperty(
    fc.property(textArbitrary, (typed) => {
      const options = parseOptions(typed);
      for (const option of options) expect([option.trim(), option === ""]).toEqual([option, false]);
      expect(parseOptions(options.join("\n"))).toEqual(options);
    }),
  ));

const MARKUP = [
  ..."<p> </p> <script> </script> <svg> <math> <!-- --> <textarea> <xmp> </title>".split(" "),
  ..."href= src= onerror= style= javascript:alert(1) data:text/html,x &#x3c; x url(".split(" "),
  ..."\"'> ",
  "<a href=",
  "<img src=",
  "expression(1)",
];

const FORBIDDEN_TAG = /<(?:script|svg|math|style|iframe|object|textarea|xmp|form)[\s>]/i;

test("sanitized rich text has no script, event handler or unknown URL scheme, and stays the same if sanitized again", () =>
  assertProperty(
    fc.property(
      fc.oneof(
        textArbitrary,
        fc.array(fc.constantFrom(...MARKUP)).map((all) => all.join("")),
      ),
      (html) => {
        // HTML is sanitized when it is stored and again when it is shown: removing a tag may leave nesting that needs
        // repair.
        const stored = sanitizeHtml(html);
        const shown = sanitizeHtml(stored);
        for (const clean of [stored, shown]) {
          expect(clean).not.toMatch(FORBIDDEN_TAG);
          expect(clean).not.toMatch(/<[^>]*\son\w+\s*=/i);
          for (const [, value] of clean.matchAll(/<[^>]*\s(?:href|src)="([^"]*)"/g))
            expect(value).toMatch(/^(?:https?:\/\/|\/(?!\/)|data:image\/)/i);
        }
        expect(sanitizeHtml(shown)).toBe(shown);
      },
    ),
  ));

test("a written CSV is parsed to the same values, with an apostrophe added before formulas", () =>
  assertProperty(
    fc.property(
      fc.array(fc.array(textArbitrary, { minLength: 2, maxLength: 2 }), { minLength: 1 }),
      (rows) => {
        const table = { columns: ["One", "Two"], createRow: (row: string[]) => row };
        const { header, formatRecords } = createCsvFormatter(table, ",");
        const { data } = Papa.parse<string[]>((header + formatRecords(rows)).slice(1), {
          newline: "\r\n",
        });
        expect(data.slice(1)).toEqual(
          rows.map((row) => row.map((cell) => (isFormulaLike(cell) ? `'${cell}` : cell))),
        );
        for (const row of data.slice(1))
          for (const cell of row) expect(cell).not.toMatch(/^(?:[\t\r\n]|\s*[=＝])/);
      },
    ),
  ));

const codingArbitrary = fc.tuple(
  fc.constantFrom("br", "gzip", "identity", "*", "x-gzip", "deflate", "BR", ""),
  fc.constantFrom("", ";q=0", ";q=1", "; q=0.5", ";q=0.001", ";q=2", ";q=", ";x"),
);

/** Replaces an old name of the same encoding (RFC 9110, 8.4.1.3). */
const normalizeEncoding = (name: string) => name.toLowerCase().replace("x-gzip", "gzip");

test("a response is never compressed with an encoding that the client refuses", async () => {
  const body = encodeText(new TextEncoder().encode("x".repeat(5000)), 1);
  const read = { br: Bun.zstdDecompressSync, gzip: Bun.gunzipSync };
  await assertProperty(
    fc.asyncProperty(fc.array(codingArbitrary), async (codings) => {
      const header = codings.map(([name, weight]) => name + weight).join(", ");
      const request = new Request("http://x/", { headers: { "accept-encoding": header } });
      const answer = await respondConditionally(request, { headers: {}, etag: '"e"', ...body });
      const used = answer.headers.get("content-encoding") ?? "identity";
      expect(used).toBeOneOf(["br", "gzip", "identity"]);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      if (used === "identity") expect(bytes.length).toBe(5000);
      if (used === "gzip") expect(read.gzip(bytes).length).toBe(5000);
      const isRefused = codings.some(
        ([name, weight]) => normalizeEncoding(name) === used && weight === ";q=0",
      );
      const isAccepted = codings.some(
        ([name, weight]) => normalizeEncoding(name) === used && weight !== ";q=0",
      );
      if (used !== "identity") expect(isRefused && !isAccepted).toBe(false);
    }),
  );
});

const ipArbitrary = fc.oneof(fc.ipV4(), fc.ipV6());

test("every notation of an IPv6 address, and each of its neighbors, is counted in the same networks", () =>
  assertProperty(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 }),
      fc.integer({ min: 0, max: 0xffff }),
      (groups, other) => {
        const whole = groups.map((group) => group.toString(16)).join(":");
        const padded = groups
          .map((group) => group.toString(16).padStart(4, "0"))
          .join(":")
          .toUpperCase();
        const short = new URL(`http://[${whole}]/`).hostname.slice(1, -1);
        expect(findEnclosingNetworks(short)).toEqual(findEnclosingNetworks(whole));
        expect(findEnclosingNetworks(padded)).toEqual(findEnclosingNetworks(whole));
        const neighbor = [...groups.slice(0, 7), other]
          .map((group) => group.toString(16))
          .join(":");
        expect(findEnclosingNetworks(neighbor)).toEqual(findEnclosingNetworks(whole));
      },
    ),
  ));

test("an IP address in X-Forwarded-For is used only if the request comes from a trusted proxy", () =>
  assertProperty(
    fc.property(ipArbitrary, fc.array(fc.oneof(ipArbitrary, textArbitrary)), (socket, hops) => {
      const header = hops.join(", ");
      expect(createClientAddressLookup(createAddressMatcher([]))(socket, header)).toBe(
        createClientAddressLookup(createAddressMatcher([]))(socket, null),
      );
      const proxies = createAddressMatcher(["10.0.0.0/8"]);
      const client = createClientAddressLookup(proxies)("10.0.0.1", header);
      expect(client === "10.0.0.1" || header.includes(client) || /^::ffff:/i.test(header)).toBe(
        true,
      );
    }),
  ));

test("a public host name doesn't count as private if a private name is put before it", () =>
  assertProperty(
    fc.property(
      fc.domain(),
      fc.constantFrom("localhost", "local", "127.0.0.1", "10.0.0.1", "nas"),
      (domain, before) => {
        fc.pre(!/(?:local|internal|lan|home|test|arpa)$/i.test(domain));
        expect(isPrivateHost(`${before}.${domain}`)).toBe(false);
        expect(isPrivateHost(`${before}-${domain}`)).toBe(false);
      },
    ),
  ));

test("a request body is parsed as by JSON.parse, or refused with a message", () =>
  assertProperty(
    fc.asyncProperty(fc.oneof(fc.json(), textArbitrary), async (body) => {
      const request = new Request("http://x/", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
      const read = await readJson(request, 10_000).catch((error: unknown) => error);
      if (read instanceof Refusal) return expect(read.status).toBeOneOf([400, 413]);
      expect(read).toEqual(JSON.parse(body.toWellFormed()));
    }),
  ));
