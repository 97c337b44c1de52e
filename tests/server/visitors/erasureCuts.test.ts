/**
 * An erasure that is interrupted at any moment is finished by the next start (specification, section 4.16). Every
 * fifth moment is tried; `ERASURE_CUTS=all` tries all.
 */
import { expect, test } from "bun:test";
import { cpSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allEntities, entities } from "../../../src/schema/index.ts";
import { AuditLog } from "../../../src/server/accounts/auditLog.ts";
import { Bin } from "../../../src/server/bin/bin.ts";
import { openStore } from "../../../src/server/storage/files/openStore.ts";
import { findErasuresToRepeat, recordErasure } from "../../../src/server/visitors/erasures.ts";
import { repeatErasures } from "../../../src/server/visitors/personalData.ts";
import { addForm, ANSWERS, createEnquiry } from "../../support/enquirySite.ts";
import { findFilesContaining } from "../../support/storedTexts.ts";
import { startSite } from "../../support/startSite.ts";
import { createCutDisk } from "../../support/cutDisk.ts";
import { createFaultyDisk } from "../storage/faultyDisk.ts";

const CUT_STEP = process.env["ERASURE_CUTS"] ? 1 : 5;

/** Starts on a data folder. Returns whether the folder has a recorded erasure. */
async function startOn(directory: string): Promise<boolean> {
  const log = () => {};
  const disk = createFaultyDisk(() => {}, true);
  const store = await openStore({ directory, entities: allEntities, log, disk });
  const audit = new AuditLog({ store, clock: Date.now, log });
  const wasNoted = (await store.of(entities.erasures).count()) > 0;
  await repeatErasures({ store, bin: new Bin(store), audit, log });
  await audit.whenFlushed();
  expect(await store.of(entities.emailSubscriptions).count({ status: "active" })).toBeGreaterThan(
    0,
  );
  await store.close();
  return wasNoted;
}

test("the next start finishes an erasure interrupted at any moment, and no file contains the person's data", async () => {
  const { cuts, disk, during, remove } = await createCutDisk(() => site.dataDir);
  const site = await startSite({ disk, env: { RATE_LIMIT: "off" } });
  await addForm(site.store);
  const owner = await site.owner();
  for (const email of ["eve@example.com", "bob@example.com"]) {
    await owner.post("/api/email-subscriptions", { email });
    for (const story of ["first", "second"]) {
      const answers = { ...ANSWERS, email, story: `The ${story} of ${email}` };
      await owner.post("/api/form-submissions", createEnquiry(answers));
    }
    // Its earlier version is in the history.
    const quote = { words: `What ${email} said`, name: "Somebody", email };
    const { body } = await owner.post("/api/testimonials", quote);
    await owner.put(`/api/testimonials/${body.id}`, { words: "Something else" });
  }
  const { body: listed } = await owner.get("/api/form-submissions/form");
  const submission = listed.find((each: object) =>
    JSON.stringify(each).includes("eve@example.com"),
  );
  await owner.delete(`/api/form-submissions/${submission.id}`);
  await owner.post("/api/auth/login", { username: "eve@example.com", password: "wrong" });
  await site.store.of(entities.auditLog).updateWhere({}, (entry) => ({
    ...entry,
    detail: `for-eve@example.com.png`,
  }));
  await site.waitForAuditLog();
  const erase = () => owner.post("/api/people/erase", { email: "eve@example.com" });
  const erased = { subscriptions: 1, submissions: 2, testimonials: 1, testimonialRequests: 0 };
  expect((await during(erase)).body).toEqual(erased);
  await site.stop();

  let finished = 0;
  for (const [at, cut] of cuts.entries()) {
    if (at % CUT_STEP !== 0) continue;
    const hadData = (await findFilesContaining(cut, "eve@example.com")).length > 0;
    const wasNoted = await startOn(cut);
    const left = wasNoted ? await findFilesContaining(cut, "eve@example.com") : [];
    expect([cut, left]).toEqual([cut, []]);
    if (hadData && wasNoted) finished++;
  }
  // Moments for each list, the bin and the audit log.
  expect(finished).toBeGreaterThan(12 / CUT_STEP);
  await remove();
}, 120_000);

test("an erasure isn't recorded as complete while an earlier erasure still has to be repeated", async () => {
  const site = await startSite();
  const { store } = site;
  const note = (email: string) =>
    store.transaction((transaction) => recordErasure(store, transaction, email));
  const unseen = async () => {
    const { isErased } = (await findErasuresToRepeat(store)) ?? {};
    return isErased && PEOPLE.filter(isErased);
  };
  await note(PEOPLE[0]!);
  expect(await unseen()).toBeUndefined();
  // As in an earlier backup.
  await store.of(entities.erasureMark).update((mark) => ({ ...mark, seen: null }));
  await note(PEOPLE[1]!);
  expect(await unseen()).toEqual(PEOPLE.slice(0, 2));
  const { recordRepeated } = (await findErasuresToRepeat(store))!;
  await store.transaction(recordRepeated);
  await note(PEOPLE[2]!);
  expect(await unseen()).toBeUndefined();
  await site.stop();
});

const PEOPLE = ["ann@example.com", "bob@example.com", "eve@example.com"];

const createTestimonial = (words: string, email: string) => ({ words, name: "Somebody", email });

test("an erasure that failed halfway is finished by the next erasure or start, and removes nothing newer", async () => {
  let fails = true;
  const disk = createFaultyDisk((operation, path) => {
    if (fails && operation === "rename" && path.includes("history/testimonials"))
      throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
  }, true);
  fails = false;
  const site = await startSite({ disk, env: { RATE_LIMIT: "off" } });
  const owner = await site.owner();
  const erase = (email: string) => owner.post("/api/people/erase", { email });
  for (const email of PEOPLE) {
    const { body } = await owner.post("/api/testimonials", createTestimonial(`Of ${email}`, email));
    await owner.put(`/api/testimonials/${body.id}`, { words: "Changed" });
  }
  const unfinished = () => site.store.of(entities.erasureMark).read().value.unfinished.length;

  fails = true;
  expect((await erase(PEOPLE[0]!)).status).toBe(503);
  expect(unfinished()).toBe(1);
  fails = false;
  // An erased person may come back.
  await owner.post("/api/testimonials", createTestimonial("Back again", PEOPLE[0]!));
  expect((await erase(PEOPLE[1]!)).status).toBe(200);
  expect(unfinished()).toBe(0);
  expect(await findFilesContaining(site.dataDir, "Of ann")).toEqual([]);

  fails = true;
  expect((await erase(PEOPLE[2]!)).status).toBe(503);
  // As after a kill.
  const directory = await mkdtemp(join(tmpdir(), "limelight-unfinished-"));
  cpSync(site.dataDir, directory, { recursive: true });
  await site.stop();
  expect(await findFilesContaining(directory, "Of eve")).not.toEqual([]);
  const log = () => {};
  const store = await openStore({ directory, entities: allEntities, log });
  const audit = new AuditLog({ store, clock: Date.now, log });
  await repeatErasures({ store, bin: new Bin(store), audit, log });
  const { value } = store.of(entities.testimonials).read();
  await store.close();
  expect(value.map(({ words }) => words)).toEqual(["Back again"]);
  expect(await findFilesContaining(directory, "Of eve")).toEqual([]);
  await rm(directory, { recursive: true });
});

test("an erasure rewrites each earlier version only once, even during other writes", async () => {
  let renamed: Map<string, number> | undefined;
  const disk = createFaultyDisk((operation, path) => {
    if (operation === "rename") renamed?.set(path, (renamed.get(path) ?? 0) + 1);
  }, true);
  const site = await startSite({ disk, env: { RATE_LIMIT: "off" } });
  await addForm(site.store);
  const owner = await site.owner();
  await owner.post("/api/form-submissions", createEnquiry(ANSWERS));
  const submissions = site.store.of(entities.formSubmissions);
  const [enquired] = (await submissions.readPage({ offset: 0, limit: 1 })).items;
  const { body } = await owner.post("/api/testimonials", createTestimonial("Of Eve", PEOPLE[2]!));
  const change = (words: string) => owner.put(`/api/testimonials/${body.id}`, { words });
  for (let number = 0; number < 20; number++) await change(`Written ${number}`);
  await site.store.purgeOldVersions();
  for (let number = 0; number < 20; number++) await change(`Not written ${number}`);

  renamed = new Map();
  const erasing = new AbortController();
  const writing = (async () => {
    while (!erasing.signal.aborted)
      await submissions.insert({ ...enquired!, id: Bun.randomUUIDv7() });
  })();
  expect((await owner.post("/api/people/erase", { email: PEOPLE[2]! })).status).toBe(200);
  const counts = [...renamed].filter(([path]) => /history|testimonials|submissions/.test(path));
  erasing.abort();
  await writing;
  const versions = counts.filter(([path]) => path.includes("history/testimonials"));
  expect(versions.length).toBeGreaterThanOrEqual(40);
  expect(counts.filter(([, times]) => times > 1)).toEqual([]);
  expect(await findFilesContaining(site.dataDir, PEOPLE[2]!)).toEqual([]);
  await site.stop();
});

test("an item that had an erased person's email address only in earlier versions stays, without those versions", async () => {
  const site = await startSite({ env: { RATE_LIMIT: "off" } });
  const owner = await site.owner();
  const { body } = await owner.post("/api/testimonials", createTestimonial("Of Bob", PEOPLE[0]!));
  await owner.put(`/api/testimonials/${body.id}`, { email: PEOPLE[1]! });
  const erased = await owner.post("/api/people/erase", { email: PEOPLE[0]! });
  expect([erased.status, erased.body.testimonials]).toEqual([200, 1]);
  const { body: left } = await owner.get("/api/testimonials");
  expect(left.map((each: { words: string }) => each.words)).toEqual(["Of Bob"]);
  await site.waitForAuditLog();
  expect(await findFilesContaining(site.dataDir, PEOPLE[0]!)).toEqual([]);
  await site.stop();
});
