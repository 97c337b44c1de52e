/** Transformations with a picture from before (specification, sections 2.4 and 3.9). */
import { expect, test } from "bun:test";
import { styleOf } from "../../support/extraStyles.ts";
import { siteForAll, startSite } from "../../support/testSite.ts";

const site = siteForAll(startSite);

const AFTER = "/uploads/after.jpg";
const BEFORE = "/uploads/before.jpg";
const AGREED = "Mia agreed by email on 3 May.";
const REFUSED = { consent: "Enter who gave consent to be shown, and how." };

test("a transformation needs only the specification's fields, and is then a single picture", async () => {
  const owner = await site.owner();
  const { status, body } = await owner.post("/api/transformations", { imageUrl: AFTER, order: 0 });
  expect([status, body.beforeUrl, body.consent]).toEqual([201, null, ""]);
  const page = (await site.visitor().get("/coaching")).text;
  expect(page).not.toContain("pair");
  expect(page).toContain('data-gallery="lightbox"');
  await owner.delete(`/api/transformations/${body.id}`);
});

test("a before picture needs a consent, whichever fields of the item are sent", async () => {
  const owner = await site.owner();
  const refused = await owner.post("/api/transformations", { imageUrl: AFTER, beforeUrl: BEFORE });
  expect([refused.status, refused.body.fields]).toEqual([422, REFUSED]);
  const { body } = await owner.post("/api/transformations", { imageUrl: AFTER });
  const change = (sent: object) => owner.put(`/api/transformations/${body.id}`, sent);
  expect((await change({ beforeUrl: BEFORE })).body.fields).toEqual(REFUSED);
  expect((await change({ beforeUrl: BEFORE, consent: AGREED })).status).toBe(200);
  expect((await change({ consent: "  " })).body.fields).toEqual(REFUSED);
  expect((await change({ beforeUrl: null, consent: "" })).status).toBe(200);
  await owner.delete(`/api/transformations/${body.id}`);
});

test("visitors get both pictures, after the style sheet for pairs, and never the consent", async () => {
  const pair = { imageUrl: AFTER, beforeUrl: BEFORE, consent: AGREED, title: "Week one" };
  const { id } = await site.asOwner("POST", "/api/transformations", pair);
  const called = (await site.visitor().get("/api/transformations")).body;
  expect(called).toEqual([{ id, imageUrl: AFTER, beforeUrl: BEFORE, title: "Week one", order: 0 }]);
  const page = (await site.visitor().get("/coaching")).text;
  expect(page).toContain(`${styleOf("pair")}<ul`);
  expect(page).not.toContain("data-gallery");
  expect(page).toContain('alt="Before: Week one"');
  expect(page).toContain('alt="After: Week one"');
  expect(page).toContain('aria-label="Before and after: Week one"');
  expect(page).not.toContain("Mia");
  expect((await site.visitor().get("/")).text).not.toContain(styleOf("pair"));
});
