/** The site's contact for vulnerabilities (RFC 9116; specification, section 2.1). */
import { expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import { setUpSiteForAll, startSite } from "../../support/testSite.ts";

const site = setUpSiteForAll(() => startSite({ env: { SITE_URL: "https://ada.example" } }));
const fetchSecurityTxt = () =>
  site.visitor().get("/.well-known/security.txt", { host: "ada.example", accept: "text/plain" });
const saveContact = (contactEmail: string | null) =>
  site.store.of(entities.site).update((value) => ({ ...value, contactEmail }));

test("security.txt doesn't exist without a contact address", async () => {
  expect((await fetchSecurityTxt()).status).toBe(404);
});

test("security.txt has the contact address, its own URL and an expiry date", async () => {
  await saveContact("ada@example.com");
  const { status, headers, text } = await fetchSecurityTxt();
  expect([status, headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
  expect(text).toMatch(
    /^Contact: mailto:ada@example\.com\nExpires: (\S+)\nCanonical: https:\/\/ada\.example\/\.well-known\/security\.txt\nPreferred-Languages: en\n$/,
  );
  const months =
    (Date.parse(/Expires: (\S+)/.exec(text)![1]!) - Date.now()) / (30 * 24 * 3_600_000);
  expect(months).toBeWithin(5.9, 7.2);
});

test("security.txt is renewed before it expires, and disappears with the contact address", async () => {
  await saveContact("ada@example.com");
  const before = (await fetchSecurityTxt()).text;
  site.advance(200 * 24 * 3_600_000);
  const after = (await fetchSecurityTxt()).text;
  expect(after).not.toBe(before);
  await saveContact(null);
  expect((await fetchSecurityTxt()).status).toBe(404);
});

test("the contact address in security.txt is escaped, so it can't add a header to a message", async () => {
  await saveContact("ada?cc=eve&x#y@example.com");
  expect((await fetchSecurityTxt()).text).toStartWith(
    "Contact: mailto:ada%3Fcc%3Deve%26x%23y@example.com\n",
  );
});
