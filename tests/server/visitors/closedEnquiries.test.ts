/** Closed enquiries that move into the bin after a time (specification, section 4.17). */
import { beforeEach, describe, expect, test } from "bun:test";
import { entities, type Item } from "../../../src/schema/index.ts";
import { deleteClosedEnquiries } from "../../../src/server/visitors/closedEnquiries.ts";
import { addForm, ANSWERS, createEnquiry, startEnquirySite } from "../../support/enquirySite.ts";
import { ownerOf, setUpSiteForAll } from "../../support/testSite.ts";
import { createStoredSubmission } from "../content/storedSubmission.ts";

const site = setUpSiteForAll(startEnquirySite);
const owner = ownerOf(site);
type StoredSubmission = Item<"formSubmissions">;

beforeEach(async () => {
  await addForm(site.store);
  const { store } = site;
  await store.of(entities.formSubmissions).deleteWhere({});
  await store.of(entities.bin).deleteWhere({});
  await store.of(entities.auditLog).deleteWhere({});
  await owner.post("/api/site", { timeZone: "UTC" });
});

const getSubmissions = () => site.store.of(entities.formSubmissions);
const setForm = (deleteAfter: string, form = "form") =>
  owner.put(`/api/forms/${form}`, { deleteAfter });

/** Runs the daily deletion at this time. */
const runRoundAt = (time: string | number, shouldContinue = async () => true) => {
  const clock = () => new Date(time).getTime();
  const { store, bin, audit } = site;
  return deleteClosedEnquiries({ store, bin, clock, audit }, shouldContinue);
};

/** Adds a closed enquiry that was created in January 2026. */
async function addClosed(more: Partial<StoredSubmission> = {}): Promise<string> {
  const { id } = await getSubmissions().insert({
    ...createStoredSubmission("form"),
    createdAt: "2026-01-02T10:00:00.000Z",
    stage: "closed",
    ...more,
  });
  return id;
}

const exists = async (id: string) => (await getSubmissions().get(id)) !== undefined;
const listBin = async () => {
  const answer = await owner.get("/api/bin");
  return (answer.body as { id: string; entity: string }[]).map(({ id }) => id);
};
const readEntries = async () => {
  await site.waitForAuditLog();
  const { body } = await owner.get("/api/audit-log");
  const entries = body as { who: string; what: string; detail: string; kind: string }[];
  return entries.filter(({ who }) => who === "The site");
};

describe("the time after which a form's closed enquiries are deleted", () => {
  test('is "never" for a new form, and one of four choices', async () => {
    const { body } = await owner.post("/api/forms", { title: "New" });
    expect(body.deleteAfter).toBe("never");
    for (const deleteAfter of ["never", "6", "12", "24"])
      expect((await setForm(deleteAfter)).body).toMatchObject({ deleteAfter });
    for (const wrong of ["1", "", " 6", 6, null, ["6"], "1000000000000"]) {
      const refused = await owner.put("/api/forms/form", { deleteAfter: wrong });
      expect(refused.body.fields).toEqual({ deleteAfter: "Choose one of the options." });
    }
    await site.waitForAuditLog();
    const log = await owner.get("/api/audit-log");
    expect(JSON.stringify(log.body)).toContain("changed Forms: Delete closed submissions");
  });

  test("can be changed by an owner, but not by an editor", async () => {
    const editor = await site.logInAs("editor");
    await setForm("12");
    const before = site.readStored();
    const words = 'Only an owner can change "Delete closed submissions".';
    const body = { error: words, code: "not_allowed", fields: { deleteAfter: words } };
    for (const answer of [
      await editor.put("/api/forms/form", { title: "Mine", deleteAfter: "6" }),
      await editor.put("/api/forms/form", { deleteAfter: "never" }),
      await editor.post("/api/forms", { title: "Mine", deleteAfter: "6" }),
    ])
      expect(answer).toMatchObject({ status: 403, body });
    expect(site.readStored()).toBe(before);
    const same = await editor.put("/api/forms/form", { title: "Ours", deleteAfter: "12" });
    expect([same.status, same.body]).toMatchObject([200, { title: "Ours", deleteAfter: "12" }]);
    const made = await editor.post("/api/forms", { title: "Mine", deleteAfter: "never" });
    expect(made.status).toBe(201);
  });

  test("is restored with an earlier version by an owner, but not by an editor", async () => {
    const editor = await site.logInAs("editor");
    await setForm("6");
    await owner.put("/api/forms/form", { title: "Earlier" });
    await owner.put("/api/forms/form", { title: "Later", deleteAfter: "never" });
    const { body } = await editor.get("/api/history/forms");
    const { revision } = (body as { revision: number }[])[1]!;
    const restored = await editor.post(`/api/history/forms/${revision}/restore`, {});
    const form = (list: Item<"forms">[]) => list.find(({ id }) => id === "form");
    expect(form(restored.body)).toMatchObject({ title: "Earlier", deleteAfter: "never" });
    const path = `/api/history/forms/${revision}/restore`;
    const again = await owner.post(path, {});
    expect(form(again.body)).toMatchObject({ title: "Earlier", deleteAfter: "6" });
  });
});

describe("a closed enquiry is deleted", () => {
  test.each([
    ["6", "2026-03-14T10:00:00.000Z", "2026-09-14T10:00:00.000Z"],
    ["12", "2026-03-14T10:00:00.000Z", "2027-03-14T10:00:00.000Z"],
    ["24", "2026-03-14T10:00:00.000Z", "2028-03-14T10:00:00.000Z"],
    // The last day of a month without a 31st, 30th or 29th.
    ["6", "2026-08-31T23:30:00.000Z", "2027-02-28T23:30:00.000Z"],
    ["6", "2026-03-31T00:00:00.000Z", "2026-09-30T00:00:00.000Z"],
    ["6", "2027-08-30T12:00:00.000Z", "2028-02-29T12:00:00.000Z"],
    ["12", "2028-02-29T12:00:00.000Z", "2029-02-28T12:00:00.000Z"],
    ["6", "2026-02-28T12:00:00.000Z", "2026-08-28T12:00:00.000Z"],
  ])(
    "after %s months to the second: closed %s, deleted %s",
    async (months, closedAt, deletedAt) => {
      const id = await addClosed({ closedAt });
      await setForm(months);
      await runRoundAt(Date.parse(deletedAt) - 1000);
      expect(await exists(id)).toBe(true);
      await runRoundAt(Date.parse(deletedAt));
      expect([await exists(id), await listBin()]).toEqual([false, [id]]);
    },
  );

  test("at the same local time of day, also after clock changes", async () => {
    await owner.post("/api/site", { timeZone: "Europe/Berlin" });
    // 31 January, 23:30 in Berlin; 31 July, 23:30 there.
    const id = await addClosed({ closedAt: "2026-01-31T22:30:00.000Z" });
    await setForm("6");
    await runRoundAt("2026-07-31T21:29:59.000Z");
    expect(await exists(id)).toBe(true);
    await runRoundAt("2026-07-31T21:30:00.000Z");
    expect(await exists(id)).toBe(false);
  });

  test("after a time counted from its first closing, even if it is closed again", async () => {
    const { body } = await site.send(createEnquiry());
    const id = (body as { id: string }).id;
    const path = `/api/form-submissions/${id}/progress`;
    const progress = (sent: object) => owner.put(path, sent);
    const first = await progress({ stage: "closed" });
    expect(Math.abs(Date.parse(first.body.closedAt) - Date.now() - site.readOffset())).toBeLessThan(
      60_000,
    );
    expect((await progress({ stage: "closed" })).body.closedAt).toBe(first.body.closedAt);
    expect((await progress({ remindOn: null })).body.closedAt).toBe(first.body.closedAt);
    expect((await progress({ stage: "talking" })).body.closedAt).toBeNull();
    expect((await getSubmissions().get(id))?.closedAt).toBeNull();
  });

  test("after a time counted from its last activity, such as a note or a reply", async () => {
    const at = "2026-03-14T10:00:00.000Z";
    const note = { id: "n", at, by: "Ada", text: "Nothing came of it." };
    const reply = { ...note, to: "ann@example.com", subject: "Hello" };
    const closedAt = "2026-01-03T10:00:00.000Z";
    const worked = [
      await addClosed({ closedAt, notes: [note] }),
      await addClosed({ closedAt, replies: [reply] }),
      await addClosed({ closedAt, callsUntil: at }),
      await addClosed({ createdAt: at }),
    ];
    const none = await addClosed({ closedAt });
    await setForm("6");
    await runRoundAt("2026-09-14T09:59:59.000Z");
    expect(await listBin()).toEqual([none]);
    await runRoundAt("2026-09-14T10:00:00.000Z");
    expect((await listBin()).toSorted()).toEqual([none, ...worked].toSorted());
  });
});

describe("an enquiry is not deleted automatically", () => {
  test("if it has a reminder or a future call", async () => {
    const reminded = await addClosed({ remindOn: "2026-05-01" });
    const called = await addClosed({ callsUntil: "2031-01-01T10:00:00.000Z" });
    await setForm("6");
    await runRoundAt("2030-01-01T00:00:00.000Z");
    expect([await exists(reminded), await exists(called)]).toEqual([true, true]);
    const path = `/api/form-submissions/${reminded}/progress`;
    await owner.put(path, { remindOn: null });
    await runRoundAt("2030-01-01T00:00:00.000Z");
    expect([await exists(reminded), await exists(called)]).toEqual([false, true]);
  });

  test('if it isn\'t closed, or if its form is deleted or set to "never"', async () => {
    const stages = ["", "talking", "booked", "client"] as const;
    const others = await Promise.all(stages.map((stage) => addClosed({ stage })));
    const second = await addClosed({ formId: "second" });
    const inactive = await addClosed({ formId: "closed" });
    await setForm("6");
    await setForm("6", "closed");
    await runRoundAt("2030-01-01T00:00:00.000Z");
    const present = await Promise.all([...others, second].map(exists));
    expect(present).toEqual([true, true, true, true, true]);
    expect(await listBin()).toEqual([inactive]);
    await setForm("6", "second");
    await owner.delete("/api/forms/second");
    await runRoundAt("2030-01-01T00:00:00.000Z");
    expect(await exists(second)).toBe(true);
  });

  test("if it or its form's setting is changed while the deletion runs", async () => {
    const [reopened, other] = [await addClosed(), await addClosed()];
    await setForm("6");
    await runRoundAt("2030-01-01T00:00:00.000Z", async () => {
      const path = `/api/form-submissions/${reopened}/progress`;
      await owner.put(path, { stage: "talking" });
      return true;
    });
    expect([await exists(reopened), await exists(other)]).toEqual([true, false]);
    const last = await addClosed();
    await runRoundAt("2030-01-01T00:00:00.000Z", async () => {
      await setForm("never");
      return true;
    });
    expect(await exists(last)).toBe(true);
  });
});

describe("an enquiry that was deleted automatically", () => {
  test("can be restored from the trash with all its data, and its time then starts again", async () => {
    const { body } = await site.send(createEnquiry());
    const id = (body as { id: string }).id;
    const base = `/api/form-submissions/${id}`;
    await owner.post(`${base}/notes`, { text: "Nothing came of it." });
    await owner.put(`${base}/progress`, { stage: "closed" });
    await setForm("6");
    const before = (await site.list()).items[0]!;
    const later = Date.now() + site.readOffset() + 200 * 24 * 60 * 60_000;
    await runRoundAt(later);
    expect([await exists(id), (await site.list()).items]).toEqual([false, []]);
    const back = await owner.post(`/api/bin/${id}/restore`, undefined);
    expect([back.status, back.body]).toEqual([200, { ...before, closedAt: expect.any(String) }]);
    expect(back.body.closedAt > before.closedAt!).toBe(true);
    expect(JSON.parse(back.body.submissionData)).toEqual(ANSWERS);
    // Deleting by hand does the same.
    await owner.delete(base);
    await owner.post(`/api/bin/${id}/restore`, undefined);
    await getSubmissions().update(id, (each) => ({ ...each, notes: [] }));
    const closedAt = Date.parse((await getSubmissions().get(id))!.closedAt!);
    await runRoundAt(closedAt + 180 * 24 * 60 * 60_000);
    expect(await exists(id)).toBe(true);
  });

  test("is counted in the audit log, in one entry for each form", async () => {
    await owner.put("/api/forms/form", { title: "Book a show" });
    await owner.put("/api/forms/second", { title: "Brand collaboration" });
    for (let at = 0; at < 230; at++) await addClosed(); // oxlint-disable-line no-await-in-loop
    await addClosed({ formId: "second" });
    await setForm("6");
    await setForm("24", "second");
    site.log.length = 0;
    await runRoundAt("2030-01-01T00:00:00.000Z");
    await runRoundAt("2030-01-02T00:00:00.000Z");
    expect(await getSubmissions().count()).toBe(0);
    expect(await readEntries()).toMatchObject([
      {
        kind: "data",
        what: 'deleted 1 closed submission of "Brand collaboration"',
        detail: "Closed for 24 months. Can be restored from the trash for 30 days.",
      },
      { what: 'deleted 230 closed submissions of "Book a show"' },
    ]);
    expect(site.log.filter((line) => line.includes("closed submission"))).toHaveLength(2);
  });

  test("was deleted in one of several batches, between which the deletion can be stopped", async () => {
    for (let at = 0; at < 150; at++) await addClosed(); // oxlint-disable-line no-await-in-loop
    await setForm("6");
    let rounds = 0;
    await runRoundAt("2030-01-01T00:00:00.000Z", async () => rounds++ === 0);
    expect(await getSubmissions().count()).toBe(50);
    expect((await readEntries())[0]!.what).toStartWith("deleted 100 closed");
    await runRoundAt("2030-01-02T00:00:00.000Z");
    expect(await getSubmissions().count()).toBe(0);
    expect((await readEntries())[0]!.what).toStartWith("deleted 50 closed");
  });
});
