import { entities } from "../../../src/schema/index.ts";
import { beforeEach, describe, expect, test } from "bun:test";
import type { Subscription } from "../../../src/server/newsletter/subscriptions.ts";
import { removeExpiredTraces, startRetention } from "../../../src/server/visitors/retention.ts";
import { restoreValues } from "../../../src/server/content/history.ts";
import {
  createEmailMatcher,
  removeErasedItems,
} from "../../../src/server/visitors/personalItems.ts";
import { createStoredSubmission } from "../content/storedSubmission.ts";
import type { Submission } from "../../../src/schema/enquiry/visitors.ts";
import { addForm, ANSWERS, createEnquiry, startEnquirySite } from "../../support/enquirySite.ts";
import { ownerOf, setUpSiteForEach } from "../../support/testSite.ts";
import { readStoredTexts } from "../../support/storedTexts.ts";

const site = setUpSiteForEach(startEnquirySite);
const owner = ownerOf(site);
beforeEach(() => addForm(site.store));

/** Returns the files of the data folder, or the tables, that contain a text, ignoring case. */
async function findFilesWith(text: string): Promise<string[]> {
  await site.waitForAuditLog();
  const stored = await readStoredTexts(site.config);
  return stored
    .filter((each) => each.text.toLowerCase().includes(text.toLowerCase()))
    .map(({ path }) => path);
}

const callPeople = (action: "find" | "export" | "erase", email: unknown) =>
  owner.post(`/api/people/${action}`, { email });
const sendEnquiry = (data: object) =>
  site.call("POST", "/api/form-submissions", createEnquiry({ ...ANSWERS, ...data }));
const subscribe = (email: string, name?: string) =>
  site.call("POST", "/api/email-subscriptions", { email, name });

const removeFirst = async (list: string, prefix = list) => {
  const answer = await owner.get(list);
  const [row] = answer.body as { id: string }[];
  await owner.delete(`${prefix}/${row!.id}`);
};

describe("a person's data", () => {
  test("is found by email address in the mailing list and in any answer of an enquiry", async () => {
    await subscribe("Eve@Example.com", "Eve");
    await sendEnquiry({ email: "eve@example.com", name: "One" });
    await sendEnquiry({ email: "joeve@example.com", name: "Two" });
    await sendEnquiry({ email: "", name: "Three", story: "Write to EVE@example.com." });
    await sendEnquiry({ email: "eve@example.com.au", name: "Four" });
    await sendEnquiry({ email: "", name: "Five", story: "My address:\neve@example.com" });
    const exported = (await callPeople("export", " EVE@example.com ")).body as {
      email: string;
      subscription: Subscription;
      submissions: Submission[];
    };
    expect(exported.email).toBe("eve@example.com");
    expect(exported.subscription).toMatchObject({ email: "eve@example.com", name: "Eve" });
    const names = exported.submissions.map(({ submissionData }) => JSON.parse(submissionData).name);
    expect(names).toEqual(["Five", "Three", "One"]);
    const { body } = await callPeople("find", "eve@example.com");
    expect(body).toEqual({
      email: "eve@example.com",
      subscriptions: 1,
      submissions: 3,
      testimonials: 0,
      testimonialRequests: 0,
      shown: 0,
      calls: 0,
    });
  });

  test("is found only by the exact email address: no character is a wildcard", async () => {
    await sendEnquiry({ email: "a.c+x@example.com" });
    for (const email of ["abc+x@example.com", "a.ccx@example.com", "a.c+x@examplexcom"])
      await sendEnquiry({ email });
    const { body } = await callPeople("find", "a.c+x@example.com");
    expect(body).toMatchObject({ submissions: 1 });
  });

  test("is erased from every file, copies and the trash included", async () => {
    await subscribe("eve@example.com", "Evelyn");
    await sendEnquiry({ email: "eve@example.com", story: "Evelyn's first" });
    await sendEnquiry({ email: "bob@example.com", name: "Bob" });
    await sendEnquiry({ email: "eve@example.com", story: "Evelyn's second" });
    const list = async () => (await owner.get("/api/form-submissions/form")).body as Submission[];
    const [second] = await list();
    const path = `/api/form-submissions/${second!.id}`;
    await owner.delete(path);
    expect(await findFilesWith("evelyn")).not.toEqual([]);

    const answer = await callPeople("erase", "Eve@example.com");
    const erased = { subscriptions: 1, submissions: 2, testimonials: 0, testimonialRequests: 0 };
    expect([answer.status, answer.body]).toEqual([200, erased]);
    expect(await findFilesWith("evelyn")).toEqual([]);
    expect(await findFilesWith("eve@example.com")).toEqual([]);
    expect((await list()).map(({ submissionData }) => JSON.parse(submissionData).name)).toEqual([
      "Bob",
    ]);
    const restore = await owner.post(`/api/bin/${second!.id}/restore`);
    expect(restore.status).toBe(404);
    const again = await callPeople("erase", "eve@example.com");
    expect(again.body).toEqual({ ...erased, subscriptions: 0, submissions: 0 });
  });

  test("includes testimonials in the list, in earlier versions and in the trash, which are all erased", async () => {
    const add = async (more: object) => {
      const testimonial = { words: "Evelyn said this", name: "Evelyn", email: "Eve@Example.com" };
      const { body } = await owner.post("/api/testimonials", { ...testimonial, ...more });
      return `/api/testimonials/${(body as { id: string }).id}`;
    };
    await owner.post("/api/extras", { on: ["testimonials"] });
    await add({ words: "Evelyn is shown" });
    await add({ words: "Evelyn isn't", isActive: false });
    const deleted = await add({ words: "Evelyn is deleted" });
    await owner.delete(deleted);
    const removed = await add({ words: "Evelyn is in the history alone" });
    await owner.delete(removed);
    await owner.delete(`/api/bin/${removed.split("/").at(-1)}`);
    await add({ words: "Bob said this", name: "Bob", email: "bob@example.com" });
    await add({ words: "Joe was near her", name: "Joe", email: "joeve@example.com" });
    const expected = { email: "eve@example.com", testimonials: 4, shown: 1 };
    expect((await callPeople("find", "eve@example.com")).body).toMatchObject(expected);
    const { testimonials } = (await callPeople("export", "eve@example.com")).body as {
      testimonials: { words: string }[];
    };
    expect(
      testimonials
        .map(({ words }) => words)
        .toSorted()
        .join(),
    ).toBe("Evelyn is deleted,Evelyn is in the history alone,Evelyn is shown,Evelyn isn't");
    const erased = await callPeople("erase", "eve@example.com");
    expect(erased.body).toMatchObject({ subscriptions: 0, submissions: 0, testimonials: 4 });
    expect(await findFilesWith("evelyn")).toEqual([]);
    expect(await findFilesWith("eve@example.com")).toEqual(
      await findFilesWith("joeve@example.com"),
    );
    // Other people's data stays, and earlier versions can still be read.
    const history = await owner.get("/api/history/testimonials");
    const versions = history.body as { revision: number }[];
    expect(versions.length).toBeGreaterThan(6);
    const newest = `/api/history/testimonials/${versions[1]!.revision}`;
    const earlier = await owner.get(newest);
    expect(JSON.stringify(earlier.body)).toContain("Joe was near her");
    expect((await callPeople("find", "eve@example.com")).body).toMatchObject({ testimonials: 0 });
  });

  test("isn't restored with an earlier value of a list from a backup", async () => {
    const one = { id: "1", words: "Evelyn said this", name: "Evelyn", email: "eve@example.com" };
    const values = new Map([
      [entities.testimonials, [one, { ...one, id: "2", email: "Bob@example.com" }]],
    ]);
    expect(await removeErasedItems(site.store, values, null)).toEqual(values);
    await callPeople("erase", "eve@example.com");
    const left = await removeErasedItems(site.store, values, null);
    expect(left.get(entities.testimonials)).toMatchObject([{ id: "2" }]);
    // A backup made after the erasure contains only what the person has sent since then.
    const { seen } = site.store.of(entities.erasureMark).read().value;
    expect(await removeErasedItems(site.store, values, seen)).toEqual(values);
    await callPeople("erase", "bob@example.com");
    const now = await removeErasedItems(site.store, values, seen);
    expect(now.get(entities.testimonials)).toMatchObject([{ id: "1" }]);
  });

  test("isn't restored from a backup even if the email address has characters escaped in JSON or HTML", async () => {
    const email = "o'brien&co@example.com";
    const item = { id: "1", words: "They were great", name: "Pat", email };
    const values = new Map([
      [entities.testimonials, [item, { ...item, id: "2", email: "co@example.com" }]],
    ]);
    site.audit.record({ kind: "data", action: `sent a message to ${email}` });
    await site.audit.whenFlushed();
    await callPeople("erase", email);
    const left = await removeErasedItems(site.store, values, null);
    expect(left.get(entities.testimonials)).toMatchObject([{ id: "2" }]);
    expect(await findFilesWith(email)).toEqual([]);
  });

  test.each([
    ["Write ann@example.com.--Ann", true],
    ["ann@example.com.-", true],
    ["(ann@example.com).", true],
    ["joann@example.com", false],
    ["ann@example.com.org", false],
  ])("includes an enquiry with the answer %s: %p", (answer, belongs) => {
    const question = { id: "a", label: "A", type: "text", answer };
    const enquiry = { ...createStoredSubmission("form"), questions: [question] } as Submission;
    expect(createEmailMatcher(entities.formSubmissions, "ann@example.com")(enquiry)).toBe(belongs);
  });

  test("isn't restored with an earlier version of a list that was read before the erasure", async () => {
    const add = (name: string) => {
      const testimonial = { words: `${name} was near her`, name, email: `${name}@example.com` };
      return owner.post("/api/testimonials", testimonial);
    };
    await add("zoe");
    await add("ben");
    const { testimonials, erasureMark } = entities;
    const before = site.store.of(testimonials).read();
    const asOf = site.store.of(erasureMark).read().revision;
    await callPeople("erase", "zoe@example.com");
    const late = restoreValues(
      { bin: site.bin, clock: Date.now },
      new Map([[testimonials, before.value]]),
      asOf,
    );
    await expect(late).rejects.toThrow(
      "Someone's data was erased in the meantime, so nothing was restored. Try again.",
    );
    expect(JSON.stringify(site.store.of(testimonials).read())).not.toContain("zoe");

    // Until an erasure has rewritten the earlier versions, none shows the erased data.
    const [ben] = site.store
      .of(testimonials)
      .read()
      .value.filter(({ name }) => name === "ben");
    const unfinished = [{ entity: "testimonials", id: ben!.id }];
    await site.store.of(erasureMark).update((mark) => ({ ...mark, unfinished }));
    const versions = await owner.get("/api/history/testimonials");
    const [{ revision }] = versions.body as [{ revision: number }];
    const at = `/api/history/testimonials/${revision}`;
    const shown = await owner.get(at);
    expect(shown.status).toBe(200);
    expect(JSON.stringify(shown.body)).not.toContain("ben@example.com");
  });

  test("can't be found or erased without a valid email address", async () => {
    const none = await callPeople("find", "");
    expect(none.status).toBe(422);
    expect(none.body).toMatchObject({ error: "Email is required" });
    expect((await callPeople("erase", "nobody")).status).toBe(422);
  });

  test("is in no file after the person's entries were deleted and the trash was emptied", async () => {
    await subscribe("gone@example.com");
    await sendEnquiry({ email: "gone@example.com" });
    await removeFirst("/api/form-submissions/form", "/api/form-submissions");
    await removeFirst("/api/email-subscriptions");
    expect(await findFilesWith("gone@example.com")).not.toEqual([]);
    await owner.delete("/api/bin");
    expect(await findFilesWith("gone@example.com")).toEqual([]);
  });
});

describe("IP addresses and browsers of visitors", () => {
  const DAY_MS = 24 * 60 * 60 * 1000;

  test("are stored for 30 days, then removed from every file", async () => {
    await subscribe("eve@example.com");
    await sendEnquiry({});
    await site.waitForAuditLog();
    // The addresses and browsers of logins are deleted too.
    const logins = await site.store.of(entities.auditLog).count();
    expect(await removeExpiredTraces(site.store, site.bin, 30)).toBe(0);
    expect(await removeExpiredTraces(site.store, site.bin, 30, Date.now() + 29 * DAY_MS)).toBe(0);
    expect(await findFilesWith("Test browser")).not.toEqual([]);
    expect(
      await removeExpiredTraces(site.store, site.bin, 30, Date.now() + 30 * DAY_MS + 1000),
    ).toBe(2 + logins);
    expect(await findFilesWith("Test browser")).toEqual([]);
    expect(await findFilesWith("127.0.0.1")).toEqual([]);
    expect(await removeExpiredTraces(site.store, site.bin, 30, Date.now() + 31 * DAY_MS)).toBe(0);
    const answer = await owner.get("/api/form-submissions/form");
    expect(answer.body).toMatchObject([
      { ipAddress: null, userAgent: null, submissionData: JSON.stringify(ANSWERS) },
    ]);
  });

  test("are removed from deleted items as well", async () => {
    await subscribe("eve@example.com");
    await sendEnquiry({});
    await removeFirst("/api/form-submissions/form", "/api/form-submissions");
    await removeFirst("/api/email-subscriptions");
    await site.waitForAuditLog();
    const entryCount = await site.store.of(entities.auditLog).count();
    expect(
      await removeExpiredTraces(site.store, site.bin, 30, Date.now() + 30 * DAY_MS + 1000),
    ).toBe(2 + entryCount);
    expect(await findFilesWith("Test browser")).toEqual([]);
    expect(await removeExpiredTraces(site.store, site.bin, 30, Date.now() + 31 * DAY_MS)).toBe(0);
    const left = await Array.fromAsync(site.bin.readAll(entities.formSubmissions));
    expect(left).toMatchObject([{ ipAddress: null, formId: "form" }]);
  });

  test("are removed from old records by the first round after a start", async () => {
    await sendEnquiry({});
    const records = site.store.of(entities.formSubmissions);
    const [{ id } = { id: "" }] = (await records.readPage({ offset: 0, limit: 1 })).items;
    const old = new Date(Date.now() - 31 * DAY_MS).toISOString();
    await records.update(id, (record) => ({ ...record, createdAt: old }));
    const failed: unknown[] = [];
    const context = { store: site.store, bin: site.bin, clock: Date.now, audit: site.audit };
    const sweeps = startRetention(context, 30, (error) => failed.push(error));
    await sweeps.whenIdle();
    await sweeps.stop();
    expect(failed).toEqual([]);
    expect(await records.get(id)).toMatchObject({ ipAddress: null, userAgent: null });
  });
});
