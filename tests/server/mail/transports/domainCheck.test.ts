/** The findings about a sender's domain, from its DNS records (specification, section 4.18). */
import { expect, test } from "bun:test";
import type { MailAccount } from "../../../../src/schema/people/mail.ts";
import {
  checkDomain,
  type ResolveTxt,
} from "../../../../src/server/mail/transports/domainCheck.ts";

const DOMAIN = "vera.example";
const GOOGLE = { kind: "smtp", host: "smtp.gmail.com", port: 465, security: "tls", username: "v" };
const CUSTOM = { ...GOOGLE, host: "mail.vera.example" };

/** Answers with these records by their names. */
const createResolver =
  (records: Readonly<Record<string, readonly string[]>>): ResolveTxt =>
  async (name) => [...(records[name] ?? [])];

async function findRecords(account: object, resolve: ResolveTxt) {
  const all = await checkDomain(account as MailAccount, DOMAIN, resolve);
  return Object.fromEntries(all.map(({ name, ...each }) => [name, each]));
}

test("a missing DNS record is shown with its name and value, or with advice on where to find the value", async () => {
  const { SPF, DKIM, DMARC } = await findRecords(GOOGLE, createResolver({}));
  const missing = (host: string, value: string | null) => ({ state: "missing", host, value });
  expect(SPF).toMatchObject(missing(DOMAIN, "v=spf1 include:_spf.google.com ~all"));
  expect(SPF!.advice).toBe("Add this as a TXT record of your domain.");
  expect(DKIM).toMatchObject(missing(`google._domainkey.${DOMAIN}`, null));
  expect(DKIM!.advice).toStartWith("Open Google, look for DKIM");
  expect(DMARC).toMatchObject(missing(`_dmarc.${DOMAIN}`, "v=DMARC1; p=none;"));
});

test("existing DNS records for mail are found among other records of the domain", async () => {
  const existing = createResolver({
    [DOMAIN]: ["google-site-verification=x", "v=spf1 mx INCLUDE:_spf.google.com -all"],
    [`google._domainkey.${DOMAIN}`]: ["v=DKIM1; k=rsa; p=MIGf"],
    [`_dmarc.${DOMAIN}`]: ["v=DMARC1; p=reject"],
  });
  const all = await findRecords(GOOGLE, existing);
  expect(Object.values(all).map(({ state, advice }) => [state, advice])).toEqual(
    Array.from({ length: 3 }, () => ["found", "Nothing to do."]),
  );
  expect(all["DMARC"]!.value).toBe("v=DMARC1; p=reject");
});

test.each([
  [["v=spf1 mx -all"], "v=spf1 mx include:_spf.google.com -all"],
  [["v=spf1 mx"], "v=spf1 mx include:_spf.google.com ~all"],
  [
    ["v=spf1 redirect=_spf.host.example"],
    "v=spf1 include:_spf.google.com redirect=_spf.host.example",
  ],
  [
    ["v=spf1 include:_spf.google.com.evil.example ?all"],
    "v=spf1 include:_spf.google.com.evil.example include:_spf.google.com ?all",
  ],
  [
    ["v=spf1 mx exists:%{I}.x.example ~all", "v=spf1 INCLUDE:_spf.google.com ~all"],
    "v=spf1 mx exists:%{I}.x.example INCLUDE:_spf.google.com ~all",
  ],
])(
  "for SPF records that don't allow the provider, one record that does is suggested (%p)",
  async (records, value) => {
    const { SPF } = await findRecords(GOOGLE, createResolver({ [DOMAIN]: records }));
    expect(SPF).toMatchObject({ state: "different", value });
    expect(SPF!.advice).toMatch(/Replace (?:it|them) with this/);
  },
);

test("an SPF redirect to the provider is accepted, but a revoked DKIM key counts as missing", async () => {
  const parents = createResolver({
    "_dmarc.example": ["v=DMARC1; p=none"],
    [DOMAIN]: ["v=spf1 redirect=_spf.google.com"],
    [`google._domainkey.${DOMAIN}`]: ["v=DKIM1; k=rsa; p="],
  });
  const statesOf = async (resolve: ResolveTxt) =>
    Object.values(await findRecords(GOOGLE, resolve)).map(({ state }) => state);
  // The policy of a top level isn't that of a domain below it.
  expect(await statesOf(parents)).toEqual(["found", "missing", "missing"]);
  const two = await findRecords(
    GOOGLE,
    createResolver({ [`_dmarc.${DOMAIN}`]: ["v=DMARC1; p=none", "v=DMARC1; p=reject"] }),
  );
  expect(two["DMARC"]).toMatchObject({ state: "different", value: "v=DMARC1; p=none" });
});

const REJECT = "v=DMARC1; p=reject";

test.each<[string, Record<string, string[]>, string | null]>([
  // The organizational domain is the one with a record and the fewest labels (RFC 9989, section 4.10.2).
  ["news.vera.example", { "vera.example": [REJECT] }, "vera.example"],
  ["a.b.vera.example", { "b.vera.example": [REJECT] }, "b.vera.example"],
  [
    "a.b.vera.example",
    { "b.vera.example": ["v=DMARC1; p=none"], "vera.example": [REJECT] },
    "vera.example",
  ],
  // With psd=n a domain is the organizational domain; with psd=y it is a public suffix without policy for others.
  [
    "a.b.vera.example",
    { "b.vera.example": [`${REJECT}; psd=n`], "vera.example": ["v=DMARC1; p=none"] },
    "b.vera.example",
  ],
  ["vera.gov.example", { "gov.example": ["v=DMARC1; p=none; psd=y"] }, null],
  [
    "news.vera.gov.example",
    { "gov.example": ["v=DMARC1; psd = y;p=none"], "vera.gov.example": [REJECT] },
    "vera.gov.example",
  ],
  [
    "a.b.vera.gov.example",
    { "gov.example": ["v=DMARC1; p=none; psd=y"], "b.vera.gov.example": [REJECT] },
    null,
  ],
  ["news.vera.example", { example: ["v=DMARC1; p=none"] }, null],
  [
    "news.vera.example",
    { example: ["v=DMARC1; p=none"], "vera.example": [REJECT] },
    "vera.example",
  ],
  // Several records of one name count as none.
  [
    "a.b.vera.example",
    { "b.vera.example": [REJECT], "vera.example": ["v=DMARC1; p=none", REJECT] },
    "b.vera.example",
  ],
  // Up to eight labels each parent is looked up, and of more only the last seven (section 4.10).
  ["a.b.c.d.e.vera.example", { "b.c.d.e.vera.example": [REJECT] }, "b.c.d.e.vera.example"],
  ["a.b.c.d.e.f.vera.example", { "b.c.d.e.f.vera.example": [REJECT] }, "b.c.d.e.f.vera.example"],
  [
    "a.b.c.d.e.f.g.vera.example",
    { "b.c.d.e.f.g.vera.example": [REJECT], "c.d.e.f.g.vera.example": [REJECT] },
    "c.d.e.f.g.vera.example",
  ],
])("for %s and the DMARC records %j, the record of %j applies", async (domain, records, owner) => {
  const asked: string[] = [];
  const entries = Object.entries(records).map(([name, texts]) => [`_dmarc.${name}`, texts]);
  const resolve = createResolver(Object.fromEntries(entries));
  const [, , dmarc] = await checkDomain(GOOGLE as MailAccount, domain, (name) => {
    if (name.startsWith("_dmarc.")) asked.push(name);
    return resolve(name);
  });
  expect(dmarc).toMatchObject(
    owner === null
      ? { state: "missing", host: `_dmarc.${domain}`, value: "v=DMARC1; p=none;" }
      : { state: "found", host: `_dmarc.${owner}`, value: expect.stringContaining(REJECT) },
  );
  expect(dmarc!.what).toBe(
    `Tells email providers what to do with forged messages${owner ? ` (set at ${owner})` : ""}`,
  );
  expect(asked.length).toBeLessThanOrEqual(8);
});

test("for an unknown provider the owner is advised to ask it for the missing DNS records", async () => {
  const none = await findRecords(CUSTOM, createResolver({}));
  expect(none["SPF"]).toMatchObject({ state: "missing", value: null });
  expect(none["SPF"]!.advice).toStartWith("Ask your email provider");
  expect(none["DKIM"]).toMatchObject({ state: "unknown", value: null });
  expect(await findRecords({ ...CUSTOM, host: "constructor" }, createResolver({}))).toEqual(none);
  const one = await findRecords(CUSTOM, createResolver({ [DOMAIN]: ["v=spf1 mx -all"] }));
  expect(one["SPF"]).toMatchObject({ state: "found" });
  const two = await findRecords(
    CUSTOM,
    createResolver({ [DOMAIN]: ["v=spf1 mx -all", "v=spf1 a -all"] }),
  );
  expect(two["SPF"]).toMatchObject({ state: "different", value: "v=spf1 mx a -all" });
});

test("without a DNS response the records to set are shown, and none is reported as missing", async () => {
  const offline: ResolveTxt = async () => Promise.reject(new Error("offline"));
  for (const account of [GOOGLE, CUSTOM])
    for (const { state, value, advice } of Object.values(await findRecords(account, offline))) {
      expect(state).toBe("unknown");
      expect(advice.includes("The record below")).toBe(value !== null);
    }
});
