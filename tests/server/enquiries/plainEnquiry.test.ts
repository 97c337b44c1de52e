import { beforeAll, expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import { addForm, ANSWERS, startEnquirySite } from "../../support/enquirySite.ts";
import { setUpSiteForAll } from "../../support/setUpSite.ts";

const site = setUpSiteForAll(() => startEnquirySite({ hasLimits: true }));
beforeAll(() => addForm(site.store));

const HTML_TYPE = "text/html; charset=utf-8";
type Visitor = Parameters<typeof site.enquiries.handleNoScriptPost>[1];
const visitor: Visitor = { address: "198.51.100.7", userAgent: "Plain browser" };
const postForm = (fields: Record<string, string>, by: Visitor = visitor) =>
  site.enquiries.handleNoScriptPost(new URLSearchParams({ formId: "form", ...fields }), by);
const getStored = () => site.store.of(entities.formSubmissions);

test("a form without scripts goes through its steps, and its answers are stored as with scripts", async () => {
  const first = await postForm({ step: "0", action: "next", name: ANSWERS.name });
  expect(first).toMatchObject({ status: 200, step: 1, isDone: false });
  expect(first.startToken).toMatch(/^\w+\.[\w-]+$/);
  site.advance(10_000);
  const last = { ...ANSWERS, started: first.startToken!, step: "1", action: "submit" };
  expect(await postForm({ ...last, "prefix:phone": "GB", phone: "7700 900123" })).toMatchObject({
    status: 200,
    isDone: true,
    error: null,
  });
  const { items } = await getStored().readPage({ offset: 0, limit: 10 });
  expect(items).toMatchObject([
    { formId: "form", ipAddress: visitor.address, userAgent: visitor.userAgent, submittedAt: null },
  ]);
  const answers = items[0]!.questions.map(({ id, answer }) => [id, answer]);
  expect(Object.fromEntries(answers)).toEqual({ ...ANSWERS, phone: "+447700 900123" });
});

test("a post with the hidden spam field filled in isn't stored, and shows the form again with the answers", async () => {
  const state = await postForm({
    ...ANSWERS,
    step: "1",
    action: "submit",
    website: "https://x.example",
  });
  expect(state).toMatchObject({ status: 422, isDone: false, answers: ANSWERS });
  expect(state.error).toBe(
    "A hidden field was filled in, perhaps by your browser. Please send the form again.",
  );
  expect(await getStored().count()).toBe(1);
});

test("after too many posts the page asks the visitor to wait and keeps the answers", async () => {
  for (let at = 0; at < 10; at++)
    await postForm({ ...ANSWERS, town: `Town ${at}`, step: "1", action: "submit" });
  const state = await postForm({ ...ANSWERS, step: "1", action: "submit" });
  expect(state).toMatchObject({ status: 429, isDone: false, answers: ANSWERS });
  expect(state.error).toStartWith("You've sent too many messages");
});

/** Posts the form like a browser without scripts. */
const postFrom = (fields: Record<string, string>, from: string) =>
  fetch(`${site.url}/coaching`, {
    method: "POST",
    headers: { "x-forwarded-for": from },
    body: new URLSearchParams({ formId: "form", ...fields }),
  });

test("the refusal after too many posts has a message on the page and Retry-After", async () => {
  const answer = await postFrom({ ...ANSWERS, step: "1", action: "submit" }, visitor.address);
  expect(answer.status).toBe(429);
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await answer.text()).toMatch(/You(?:'|&#x27;|’)ve sent too many messages/);
});

test("every long answer can be posted at full length, even in characters of three bytes", async () => {
  const fields = site.store.of(entities.formFields);
  const { value: before } = fields.read();
  await fields.update((all) =>
    all.map((each) => (each.id === "town" ? { ...each, fieldType: "textarea" } : each)),
  );
  const full = { town: "\u4e2d".repeat(5000), story: "\u6587".repeat(5000) };
  const from = "198.51.100.44";
  const answer = await postFrom({ ...ANSWERS, ...full, step: "1", action: "submit" }, from);
  expect(answer.status).toBe(200);
  const { items } = await getStored().readPage({ newestFirst: true, offset: 0, limit: 1 });
  expect(items[0]!.questions.find(({ id }) => id === "town")!.answer).toBe(full.town);
  await fields.update(() => before);
});

test("a post that is too large is refused with a page that explains what to do", async () => {
  const answer = await postFrom({ ...ANSWERS, story: "x".repeat(1_100_000) }, "198.51.100.45");
  expect([answer.status, answer.headers.get("content-type")]).toEqual([413, HTML_TYPE]);
  const page = await answer.text();
  expect(page).toContain("This is too large. The limit is");
  expect(page).toContain("Go back in your browser and submit the form again.");
});

test("a visitor can post the form 120 times in a row, and further posts are refused", async () => {
  // The limit grows by one each second.
  site.stopClock();
  const next = () => postFrom({ step: "0", action: "previous" }, "198.51.100.99");
  for (let at = 0; at < 120; at++) expect((await next()).status).toBe(200);
  const page = await next();
  expect([page.status, page.headers.get("content-type")]).toEqual([429, HTML_TYPE]);
  expect(Number(page.headers.get("retry-after"))).toBeGreaterThan(0);
  site.advance(60_000);
  expect((await next()).status).toBe(200);
});

test("a post that can't be stored gets 503, and the page keeps the visitor's answers", async () => {
  await site.store.close();
  const other = { address: "198.51.100.8", userAgent: null };
  const state = await postForm({ ...ANSWERS, step: "1", action: "submit" }, other);
  expect(state).toMatchObject({ status: 503, isDone: false, answers: ANSWERS });
});
