import { beforeAll, describe, expect, test } from "bun:test";
import type { Submission } from "../../../src/schema/enquiry/visitors.ts";
import { addForm, ANSWERS, createEnquiry, startEnquirySite } from "../../support/enquirySite.ts";
import { formatRefusal, setUpSiteForAll } from "../../support/testSite.ts";

const site = setUpSiteForAll(startEnquirySite);
beforeAll(() => addForm(site.store));

const AS_OWNER = { owner: true };
const BASE_PATH = "/api/form-submissions";

/** Sends an enquiry by this person, and returns its id. */
async function sendAs(name: string, formId = "form"): Promise<string> {
  const data = formId === "form" ? { ...ANSWERS, name } : {};
  const answer = await site.send({ ...createEnquiry(data), formId });
  expect(answer.status).toBe(201);
  return answer.body.id as string;
}

const setProgress = (id: string, body: unknown) =>
  site.call("PUT", `${BASE_PATH}/${id}/progress`, body, AS_OWNER);
const addNote = (id: string, body: unknown) =>
  site.call("POST", `${BASE_PATH}/${id}/notes`, body, AS_OWNER);
const listAll = async (query = "") => {
  const answer = await site.call("GET", BASE_PATH + query, undefined, AS_OWNER);
  return { answer, ids: (answer.body as Submission[]).map(({ id }) => id) };
};
const listDue = async () => {
  const answer = await site.call("GET", "/api/follow-ups", undefined, AS_OWNER);
  expect(answer.status).toBe(200);
  return (answer.body as Submission[]).map(({ id }) => id);
};

/** A day from now in the site's zone, which is the machine's. */
const getDay = (days: number) => Temporal.Now.plainDateISO().add({ days }).toString();

describe("the stage of an enquiry", () => {
  test("is the inbox at first, without a reminder and without notes", async () => {
    const id = await sendAs("Ann");
    const [stored] = (await site.list("?limit=1")).items;
    expect(stored).toMatchObject({ id, stage: "", remindOn: null, notes: [], status: "new" });
  });

  test("can be changed without the reminder, and a change returns the whole submission", async () => {
    const id = await sendAs("Ann");
    const [sent] = (await site.list("?limit=1")).items;
    // A new stage also marks the submission as reviewed, and setting the stage back keeps that.
    const before = { ...sent, status: "reviewed" };
    const talking = await setProgress(id, { stage: "talking" });
    expect([talking.status, talking.body]).toEqual([200, { ...before, stage: "talking" }]);
    const reminded = await setProgress(id, { remindOn: "2027-03-14" });
    expect(reminded.body).toEqual({ ...before, stage: "talking", remindOn: "2027-03-14" });
    expect((await setProgress(id, {})).body).toEqual(reminded.body);
    expect((await setProgress(id, { stage: "", remindOn: null })).body).toEqual(before);
  });

  test("marks the submission as reviewed when it is changed, like a reminder or a note", async () => {
    const statusAfter = async (change: (id: string) => Promise<{ status: number }>) => {
      const id = await sendAs("Ann");
      await change(id);
      return (await site.list("?limit=1")).items[0]!.status;
    };
    expect([
      await statusAfter((id) => setProgress(id, { stage: "" })),
      await statusAfter((id) => setProgress(id, { stage: "talking" })),
      await statusAfter((id) => setProgress(id, { remindOn: "2027-03-14" })),
      await statusAfter((id) => addNote(id, { text: "Call first." })),
    ]).toEqual(["new", "reviewed", "reviewed", "reviewed"]);
  });

  test("is stored even if another owner changes the reminder and adds notes simultaneously", async () => {
    const id = await sendAs("Ann");
    const [one, other] = await Promise.all([site.logInAsOwner(), site.logInAs("admin")]);
    const answers = await Promise.all([
      one.put(`${BASE_PATH}/${id}/progress`, { stage: "client" }),
      other.put(`${BASE_PATH}/${id}/progress`, { remindOn: "2027-03-14" }),
      one.post(`${BASE_PATH}/${id}/notes`, { text: "Likes mornings." }),
      other.post(`${BASE_PATH}/${id}/notes`, { text: "Call first." }),
      other.put(`${BASE_PATH}/${id}/status`, { status: "reviewed" }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 201, 201, 200]);
    const [stored] = (await site.list("?limit=1")).items;
    const expected = { id, stage: "client", remindOn: "2027-03-14", status: "reviewed" };
    expect(stored).toMatchObject(expected);
    expect(
      stored!.notes
        .map(({ text }) => text)
        .toSorted()
        .join(),
    ).toBe("Call first.,Likes mornings.");
    // Of two simultaneous changes, one is stored completely.
    await Promise.all(
      [one, other].map((each, at) =>
        each.put(`${BASE_PATH}/${id}/progress`, { stage: at === 0 ? "closed" : "talking" }),
      ),
    );
    expect(["closed", "talking"]).toContain((await site.list("?limit=1")).items[0]!.stage);
  });

  test("is refused if it is unknown, and so is a reminder that isn't a date", async () => {
    const id = await sendAs("Ann");
    const fields = async (body: object) => (await setProgress(id, body)).body.fields;
    for (const stage of ["lost", null, 1])
      expect(await fields({ stage })).toEqual({ stage: "Choose one of the options." });
    for (const remindOn of ["14 March", "2027-02-30", "2027-3-1", "+12027-03-14"])
      expect(await fields({ remindOn })).toEqual({
        remindOn: "Enter a date such as March 14, 2027.",
      });
    expect((await setProgress(id, { remindOn: 20270314 })).body.error).toBe("This must be text.");
    // An empty day removes the reminder.
    expect((await setProgress(id, { remindOn: "" })).body).toMatchObject({ remindOn: null });
    expect((await setProgress("nope", { stage: "client" })).status).toBe(404);
  });

  test("is in the audit log only when it becomes closed, since a closed enquiry may be deleted later", async () => {
    const id = await sendAs("Ann");
    const reader = await site.logInAs("reader");
    for (const stage of ["client", "closed", "closed", "talking"])
      await reader.put(`${BASE_PATH}/${id}/progress`, { stage });
    await site.waitForAuditLog();
    const { username } = (await reader.get("/api/auth/me")).body;
    const log = await site.call("GET", "/api/audit-log?kind=data", undefined, AS_OWNER);
    const entries = log.body as { who: string; what: string; count: number }[];
    expect(entries.filter(({ who }) => who === username)).toMatchObject([
      { what: "closed a submission", count: 1 },
    ]);
  });

  test("can filter the list of submissions and a search, also for the inbox", async () => {
    const id = await sendAs("Zelda");
    await setProgress(id, { stage: "booked" });
    expect((await site.list("?stage=booked")).items.map((each) => each.id)).toEqual([id]);
    expect((await site.list("?stage=")).items.map((each) => each.id)).not.toContain(id);
    expect((await site.search({ search: "zelda", stage: "booked" })).items).toHaveLength(1);
    expect((await site.search({ search: "zelda", stage: "" })).items).toEqual([]);
    expect((await site.list("?stage=booked&status=new")).items).toEqual([]);
    expect((await site.list("?stage=lost")).response.status).toBe(422);
  });
});

describe("submissions of all forms", () => {
  test("are sorted newest first, without the submissions of a deleted form", async () => {
    const first = await sendAs("First");
    const other = await sendAs("", "second");
    const last = await sendAs("Last");
    const { answer, ids } = await listAll("?limit=3");
    expect(ids).toEqual([last, other, first]);
    const total = Number(answer.headers.get("x-total-count"));
    const ofForm = Number((await site.list()).response.headers.get("x-total-count"));
    expect(total).toBe(ofForm + 1);
    await setProgress(other, { remindOn: getDay(0) });
    expect(await listDue()).toContain(other);
    await site.call("DELETE", "/api/forms/second", undefined, AS_OWNER);
    expect((await listAll()).ids).not.toContain(other);
    expect((await listAll()).answer.headers.get("x-total-count")).toBe(String(ofForm));
    expect(await listDue()).not.toContain(other);
    const response = await site.call("POST", `${BASE_PATH}/search`, { search: "last" }, AS_OWNER);
    expect(response.body).toHaveLength(1);
  });
});

describe("follow-ups", () => {
  test("are the submissions with a due reminder, in the order of the reminders' days", async () => {
    const [late, today, later] = [await sendAs("A"), await sendAs("B"), await sendAs("C")];
    await setProgress(today, { remindOn: getDay(0) });
    await setProgress(late, { remindOn: getDay(-2) });
    await setProgress(later, { remindOn: getDay(1) });
    const ids = await listDue();
    expect(ids.filter((id) => [late, today, later].includes(id))).toEqual([late, today]);
    await setProgress(late, { remindOn: null });
    expect(await listDue()).not.toContain(late);
  });
});

describe("notes about a submission", () => {
  test("have author and time, and can be deleted one by one", async () => {
    const id = await sendAs("Ann");
    const first = await addNote(id, { text: " Send the plan. " });
    expect(first.status).toBe(201);
    const second = await addNote(id, { text: "Call on Sunday." });
    const { notes } = second.body as Submission;
    const username = notes[0]!.by;
    expect(username.length).toBeGreaterThan(0);
    expect(notes.map(({ text, by }) => [text, by])).toEqual([
      ["Send the plan.", username],
      ["Call on Sunday.", username],
    ]);
    const path = `${BASE_PATH}/${id}/notes/${notes[0]!.id}`;
    expect((await site.call("DELETE", path, undefined, AS_OWNER)).status).toBe(204);
    const again = await site.call("DELETE", path, undefined, AS_OWNER);
    expect([again.status, again.body.error]).toEqual([404, "This note no longer exists."]);
    // Undo restores the same note with its time, at its position.
    const { id: noteId, at, text } = notes[0]!;
    const back = await addNote(id, { id: noteId, at, text });
    expect((back.body as Submission).notes).toEqual(notes);
  });

  test("are stored once if sent twice, and different simultaneous notes are all stored", async () => {
    const id = await sendAs("Ann");
    const sent = { id: crypto.randomUUID(), text: "Only once." };
    await Promise.all([addNote(id, sent), addNote(id, sent), addNote(id, { text: "Mine too." })]);
    const { notes } = (await addNote(id, sent)).body as Submission;
    expect(notes.map(({ text }) => text).toSorted()).toEqual(["Mine too.", "Only once."]);
  });

  test("can't be empty or too long, and are at most 50", async () => {
    const id = await sendAs("Ann");
    for (const text of ["", " \n ", undefined])
      expect(formatRefusal(await addNote(id, { text }))).toBe("422 A note can't be empty.");
    const long = await addNote(id, { text: "a".repeat(2001) });
    expect(formatRefusal(long)).toBe("422 A note can have at most 2,000 characters.");
    expect((await addNote(id, { text: "a", id: "1" })).status).toBe(422);
    for (let at = 0; at < 50; at++)
      // oxlint-disable-next-line no-await-in-loop -- each is counted
      expect((await addNote(id, { text: `Note ${at}` })).status).toBe(201);
    const refused = await addNote(id, { text: "One more" });
    expect(formatRefusal(refused)).toBe("422 There are 50 notes already. Delete one first.");
    expect((await addNote("nope", { text: "Lost" })).status).toBe(404);
  });

  test("are found by a search, and by a person's email address in their text", async () => {
    const id = await sendAs("Ann");
    await addNote(id, { text: "Her sister is rosalind@example.com." });
    expect((await site.search({ search: "rosalind" })).items).toHaveLength(1);
    const email = "rosalind@example.com";
    const response = await site.call("POST", "/api/people/find", { email }, AS_OWNER);
    expect(response.body).toMatchObject({ submissions: 1 });
    await site.call("POST", "/api/people/erase", { email }, AS_OWNER);
    expect((await listAll()).ids).not.toContain(id);
  });

  test("are in the audit log without their text", async () => {
    const id = await sendAs("Ann");
    await addNote(id, { text: "Peculiarly secret." });
    const log = await site.call("GET", "/api/audit-log", undefined, AS_OWNER);
    const text = JSON.stringify(log.body);
    expect(text).toContain("added a note to a submission");
    expect(text).not.toContain("Peculiarly");
  });
});
