/** An enquiry that is sent again, since nobody heard that it has arrived, is stored once (specification, section 4.3). */
import { beforeAll, expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import { startRetention } from "../../../src/server/visitors/retention.ts";
import { addForm, ANSWERS, enquiry, enquirySite } from "../../support/enquirySite.ts";
import { siteForAll } from "../../support/siteForAll.ts";

const site = siteForAll(enquirySite);
beforeAll(() => addForm(site.store));

const visitor = { address: "198.51.100.7", userAgent: "Plain browser" };
const stored = () => site.store.of(entities.formSubmissions).count();

/** Answers of somebody else each time, and a proof that is old enough. */
let people = 0;
async function begun() {
  const { started } = (await site.call("GET", "/api/filling-time")).body as { started: string };
  site.advance(4000);
  return { started, answers: { ...ANSWERS, email: `ann${++people}@example.com` } };
}
async function send(answers: Record<string, unknown>, started?: string): Promise<string> {
  const answer = await site.send({ ...enquiry(answers), started });
  expect(answer.status).toBe(201);
  return (answer.body as { id: string }).id;
}
const post = (fields: Record<string, string>) =>
  site.forms.handleNoScriptPost(
    new URLSearchParams({ formId: "form", step: "1", action: "submit", ...fields }),
    visitor,
  );

// First, as long as the owner's login is new enough to erase.
test("what the owner has deleted meanwhile stays in the bin, and can be put back", async () => {
  const { started, answers } = await begun();
  const id = await send(answers, started);
  const before = await stored();
  const owner = await site.owner();
  expect((await owner.delete(`/api/form-submissions/${id}`)).status).toBe(204);
  expect(await send(answers, started)).toBe(id);
  expect(await stored()).toBe(before - 1);
  expect((await owner.post(`/api/bin/${id}/restore`)).status).toBe(200);
  expect(await stored()).toBe(before);
});

test.each(["list", "bin"])("who was erased from the %s does not come back by it", async (place) => {
  const { started, answers } = await begun();
  const id = await send(answers, started);
  const before = await stored();
  const owner = await site.owner();
  if (place === "bin") await owner.delete(`/api/form-submissions/${id}`);
  const erased = await owner.post("/api/people/erase", { email: answers.email });
  expect(erased.body).toMatchObject({ submissions: 1 });
  expect(await send(answers, started)).toBe(id);
  expect(await stored()).toBe(before - 1);
});

test("nothing is left of an erased enquiry once it can't come any more", async () => {
  const noted = site.store.of(entities.erasedEnquiries);
  expect(await noted.count()).toBeGreaterThan(0);
  const sweepAfter = async (hours: number) => {
    const clock = () => Date.now() + hours * 60 * 60_000;
    const { store, bin, audit } = site;
    const sweeps = startRetention({ store, bin, clock, audit }, 30, (error) =>
      site.faults.push(error),
    );
    await sweeps.whenIdle();
    await sweeps.stop();
  };
  await sweepAfter(23);
  expect(await noted.count()).toBeGreaterThan(0);
  await sweepAfter(25);
  expect(await noted.count()).toBe(0);
  expect(site.faults).toEqual([]);
});

test("the second gets the answer of the first, also where both come at once", async () => {
  const { started, answers } = await begun();
  const before = await stored();
  const [first, ...others] = await Promise.all([1, 2, 3].map(() => send(answers, started)));
  expect(others).toEqual([first!, first!]);
  site.advance(60 * 60_000);
  expect(await send(answers, started)).toBe(first!);
  expect(await stored()).toBe(before + 1);
});

test("other answers, and the same ones begun anew or without a proof, are enquiries of their own", async () => {
  const { started, answers } = await begun();
  const anew = await begun();
  const before = await stored();
  const ids = [
    await send(answers, started),
    await send({ ...answers, town: "Leeds" }, started),
    await send(answers, anew.started),
    await send(answers),
    await send(answers),
  ];
  expect(new Set(ids).size).toBe(5);
  expect(await stored()).toBe(before + 5);
});

test("a page after a post without scripts that is reloaded is thanked again and stores nothing", async () => {
  const { started, answers } = await begun();
  const before = await stored();
  for (let at = 0; at < 2; at++) expect((await post({ ...answers, started })).done).toBe(true);
  // The scripts came with that page.
  await send(answers, started);
  expect(await stored()).toBe(before + 1);
});

test("so is a first post, which has no proof, by the address in it and for some minutes", async () => {
  const { answers } = await begun();
  const before = await stored();
  expect((await post(answers)).done).toBe(true);
  site.advance(9 * 60_000);
  expect((await post(answers)).done).toBe(true);
  expect(await stored()).toBe(before + 1);
  site.advance(20 * 60_000);
  expect((await post(answers)).done).toBe(true);
  expect(await stored()).toBe(before + 2);
  // Whoever says nothing of themselves may be somebody else.
  const { email: _, ...unnamed } = answers;
  for (let at = 0; at < 2; at++) expect((await post(unnamed)).done).toBe(true);
  expect(await stored()).toBe(before + 4);
});
