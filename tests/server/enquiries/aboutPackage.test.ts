/** Enquiries about a package, through calls (specification, section 4.3). */
import { beforeAll, beforeEach, expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import { addForm, ANSWERS, createEnquiry, startEnquirySite } from "../../support/enquirySite.ts";
import { setUpSiteForAll } from "../../support/setUpSite.ts";

const site = setUpSiteForAll(() => startEnquirySite());
beforeAll(() => addForm(site.store));

const callAsOwner = (method: "POST" | "PUT", path: string, body: unknown) =>
  site.call(method, path, body, { owner: true });
const addPackage = async (item: object = {}): Promise<string> =>
  (await callAsOwner("POST", "/api/packages", { title: "Twelve weeks", ...item })).body.id;
let count = 0;
/** Sends an enquiry with `about`, and returns it as stored. */
const sendAndRead = async (about: unknown) => {
  const { status, body } = await site.send({
    ...createEnquiry({ ...ANSWERS, name: `Ann ${++count}` }),
    about,
  });
  expect(status).toBe(201);
  const [stored] = (await site.list("?limit=1")).items;
  expect(stored!.id).toBe(body.id);
  return stored!;
};

beforeEach(async () => {
  await site.store.of(entities.packages).update(() => []);
  await callAsOwner("POST", "/api/extras", { on: ["packages"] });
});

test("an enquiry keeps the title of its coaching package when the package is renamed or deleted", async () => {
  const id = await addPackage();
  const { about, id: submission } = await sendAndRead(id);
  expect(about).toBe("Twelve weeks");
  await callAsOwner("PUT", `/api/packages/${id}`, { title: "Ten weeks" });
  await site.store.of(entities.packages).update(() => []);
  const [stored] = (await site.list("?limit=1")).items;
  expect([stored!.id, stored!.about]).toEqual([submission, "Twelve weeks"]);
});

test("an enquiry about a hidden coaching package or an invalid id is stored without a package", async () => {
  const hidden = await addPackage({ isActive: false });
  const later = await addPackage({ shownFrom: "2099-01-01T10:00" });
  const over = await addPackage({ shownUntil: "2001-01-01T10:00" });
  const nonsense = [Bun.randomUUIDv7(), "Twelve weeks", "", "__proto__", "x".repeat(20_000)];
  for (const about of [hidden, later, over, ...nonsense, null, 7, true, ["a"], { id: hidden }])
    expect([about, (await sendAndRead(about)).about]).toEqual([about, null]);
  const seen = await addPackage();
  await callAsOwner("POST", "/api/extras", { on: [] });
  expect((await sendAndRead(seen)).about).toBeNull();
});

test("an enquiry sent without scripts is stored without a coaching package, even if the post names one", async () => {
  const id = await addPackage();
  const visitor = { address: "198.51.100.9", userAgent: "Plain browser" };
  const posted = { formId: "form", step: "1", action: "submit", about: id };
  const { isDone } = await site.enquiries.handleNoScriptPost(
    new URLSearchParams({ ...posted, ...ANSWERS, name: "Plain Ann" }),
    visitor,
  );
  expect(isDone).toBe(true);
  expect((await site.list("?limit=1")).items[0]!.about).toBeNull();
});

test("the same enquiry sent twice is stored once, even if its coaching package was hidden in between", async () => {
  const id = await addPackage();
  const { started } = (await site.call("GET", "/api/filling-time")).body;
  const body = { ...createEnquiry({ ...ANSWERS, name: "Twice" }), started, about: id };
  site.advance(10_000);
  const first = await site.send(body);
  await callAsOwner("PUT", `/api/packages/${id}`, { isActive: false });
  const second = await site.send(body);
  expect([first.status, second.body.id]).toEqual([201, first.body.id]);
  expect((await site.list("?limit=1")).items[0]).toMatchObject({ about: "Twelve weeks" });
});

test("a coaching package's title isn't searched for a person's data, but is exported with the enquiry", async () => {
  const id = await addPackage({ title: "dora@example.com" });
  await sendAndRead(id);
  const people = (call: "find" | "export" | "erase", email: string) =>
    site.call("POST", `/api/people/${call}`, { email }, { owner: true });
  const { body: none } = await people("find", "dora@example.com");
  expect(JSON.stringify(none)).not.toContain("Ann");
  const { body: all } = await people("export", ANSWERS.email);
  expect(JSON.stringify(all)).toContain('"about":"dora@example.com"');
  await people("erase", ANSWERS.email);
  expect((await site.list()).items).toEqual([]);
});
