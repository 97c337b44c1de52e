/** An enquiry that is sent again because its response was lost is stored once (specification, section 4.3). */
import { beforeAll, expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import { startRetention } from "../../../src/server/visitors/retention.ts";
import { addForm, ANSWERS, createEnquiry, startEnquirySite } from "../../support/enquirySite.ts";
import { setUpSiteForAll } from "../../support/setUpSite.ts";

const site = setUpSiteForAll(startEnquirySite);
beforeAll(() => addForm(site.store));

const visitor = { address: "198.51.100.7", userAgent: "Plain browser" };
const countStored = () => site.store.of(entities.formSubmissions).count();

/** Returns another person's answers each time, and a proof that is old enough. */
let people = 0;
async function createStartProof() {
  const { started } = (await site.call("GET", "/api/filling-time")).body as { started: string };
  site.advance(4000);
  return { started, answers: { ...ANSWERS, email: `ann${++people}@example.com` } };
}
async function sendAnswers(answers: Record<string, unknown>, started?: string): Promise<string> {
  const answer = await site.send({ ...createEnquiry(answers), started });
  expect(answer.status).toBe(201);
  return (answer.body as { id: string }).id;
}
const postForm = (fields: Record<string, string>) =>
  site.enquiries.handleNoScriptPost(
    new URLSearchParams({ formId: "form", step: "1", action: "submit", ...fields }),
    visitor,
  );

// The first tests, since erasing needs a recent login.
test("an enquiry sent again after its deletion stays in the trash, and can be restored", async () => {
  const { started, answers } = await createStartProof();
  const id = await sendAnswers(answers, started);
  const before = await countStored();
  const owner = await site.owner();
  expect((await owner.delete(`/api/form-submissions/${id}`)).status).toBe(204);
  expect(await sendAnswers(answers, started)).toBe(id);
  expect(await countStored()).toBe(before - 1);
  expect((await owner.post(`/api/bin/${id}/restore`)).status).toBe(200);
  expect(await countStored()).toBe(before);
});

test.each(["list", "bin"])(
  "an enquiry erased from the %s isn't stored when it is sent again",
  async (source) => {
    const { started, answers } = await createStartProof();
    const id = await sendAnswers(answers, started);
    const before = await countStored();
    const owner = await site.owner();
    if (source === "bin") await owner.delete(`/api/form-submissions/${id}`);
    const erased = await owner.post("/api/people/erase", { email: answers.email });
    expect(erased.body).toMatchObject({ submissions: 1 });
    expect(await sendAnswers(answers, started)).toBe(id);
    expect(await countStored()).toBe(before - 1);
  },
);

test("the record that keeps an erased enquiry from being stored again is deleted after a day", async () => {
  const noted = site.store.of(entities.erasedEnquiries);
  expect(await noted.count()).toBeGreaterThan(0);
  const sweepAfter = async (hours: number) => {
    const clock = () => Date.now() + hours * 60 * 60_000;
    const { store, bin, audit } = site;
    const sweeps = startRetention({ store, bin, clock, audit }, 30, (error) =>
      site.reportedErrors.push(error),
    );
    await sweeps.whenIdle();
    await sweeps.stop();
  };
  await sweepAfter(23);
  expect(await noted.count()).toBeGreaterThan(0);
  await sweepAfter(25);
  expect(await noted.count()).toBe(0);
  expect(site.reportedErrors).toEqual([]);
});

test("an enquiry sent several times gets the same response and is stored once, even if sent simultaneously", async () => {
  const { started, answers } = await createStartProof();
  const before = await countStored();
  const [first, ...others] = await Promise.all([1, 2, 3].map(() => sendAnswers(answers, started)));
  expect(others).toEqual([first!, first!]);
  site.advance(60 * 60_000);
  expect(await sendAnswers(answers, started)).toBe(first!);
  expect(await countStored()).toBe(before + 1);
});

test("enquiries with different answers, or with another or no signed start time, are stored separately", async () => {
  const { started, answers } = await createStartProof();
  const anew = await createStartProof();
  const before = await countStored();
  const ids = [
    await sendAnswers(answers, started),
    await sendAnswers({ ...answers, town: "Leeds" }, started),
    await sendAnswers(answers, anew.started),
    await sendAnswers(answers),
    await sendAnswers(answers),
  ];
  expect(new Set(ids).size).toBe(5);
  expect(await countStored()).toBe(before + 5);
});

test("reloading the page after a post without scripts shows the thank-you again and stores no second enquiry", async () => {
  const { started, answers } = await createStartProof();
  const before = await countStored();
  for (let at = 0; at < 2; at++)
    expect((await postForm({ ...answers, started })).isDone).toBe(true);
  // The page's script sends the same proof.
  await sendAnswers(answers, started);
  expect(await countStored()).toBe(before + 1);
});

test("an enquiry repeated without a signed start time is recognized by its email address for some minutes", async () => {
  const { answers } = await createStartProof();
  const before = await countStored();
  expect((await postForm(answers)).isDone).toBe(true);
  site.advance(9 * 60_000);
  expect((await postForm(answers)).isDone).toBe(true);
  expect(await countStored()).toBe(before + 1);
  site.advance(20 * 60_000);
  expect((await postForm(answers)).isDone).toBe(true);
  expect(await countStored()).toBe(before + 2);
  // Enquiries without a name or address may be from different people.
  const { email: _, ...unnamed } = answers;
  for (let at = 0; at < 2; at++) expect((await postForm(unnamed)).isDone).toBe(true);
  expect(await countStored()).toBe(before + 4);
});
