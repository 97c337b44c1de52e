/** Transformations with a picture from before (specification, sections 2.4 and 3.9). */
import { expect, test } from "bun:test";
import { getStyleElement } from "../../support/extraStyles.ts";
import { setUpSiteForAll, startSite } from "../../support/testSite.ts";

const site = setUpSiteForAll(startSite);

const AFTER_URL = "/uploads/after.jpg";
const BEFORE_URL = "/uploads/before.jpg";
const CONSENT = "Mia agreed by email on 3 May.";
const CONSENT_MISSING = { consent: "Enter who gave consent to be shown, and how." };

test("a transformation without a before picture is shown as a single picture", async () => {
  const owner = await site.owner();
  const { status, body } = await owner.post("/api/transformations", {
    imageUrl: AFTER_URL,
    order: 0,
  });
  expect([status, body.beforeUrl, body.consent]).toEqual([201, null, ""]);
  const page = (await site.visitor().get("/coaching")).text;
  expect(page).not.toContain("pair");
  expect(page).toContain('data-gallery="lightbox"');
  await owner.delete(`/api/transformations/${body.id}`);
});

test("a before picture is refused without a consent, whichever fields of the transformation are sent", async () => {
  const owner = await site.owner();
  const refused = await owner.post("/api/transformations", {
    imageUrl: AFTER_URL,
    beforeUrl: BEFORE_URL,
  });
  expect([refused.status, refused.body.fields]).toEqual([422, CONSENT_MISSING]);
  const { body } = await owner.post("/api/transformations", { imageUrl: AFTER_URL });
  const change = (sent: object) => owner.put(`/api/transformations/${body.id}`, sent);
  expect((await change({ beforeUrl: BEFORE_URL })).body.fields).toEqual(CONSENT_MISSING);
  expect((await change({ beforeUrl: BEFORE_URL, consent: CONSENT })).status).toBe(200);
  expect((await change({ consent: "  " })).body.fields).toEqual(CONSENT_MISSING);
  expect((await change({ beforeUrl: null, consent: "" })).status).toBe(200);
  await owner.delete(`/api/transformations/${body.id}`);
});

test("visitors get a transformation's before and after pictures, but never the consent", async () => {
  const pair = { imageUrl: AFTER_URL, beforeUrl: BEFORE_URL, consent: CONSENT, title: "Week one" };
  const { id } = await site.asOwner("POST", "/api/transformations", pair);
  const called = (await site.visitor().get("/api/transformations")).body;
  expect(called).toEqual([
    { id, imageUrl: AFTER_URL, beforeUrl: BEFORE_URL, title: "Week one", order: 0 },
  ]);
  const page = (await site.visitor().get("/coaching")).text;
  expect(page).toContain(`${getStyleElement("beforeAfter")}<ul`);
  expect(page).not.toContain("data-gallery");
  expect(page).toContain('alt="Before: Week one"');
  expect(page).toContain('alt="After: Week one"');
  expect(page).toContain('aria-label="Before and after: Week one"');
  expect(page).not.toContain("Mia");
  expect((await site.visitor().get("/")).text).not.toContain(getStyleElement("beforeAfter"));
});
