/**
 * An erasure that is cut short at any moment is finished by the next start (specification, section 4.16). Of
 * the moments every fifth is tried; `ERASURE_CUTS=all` tries all.
 */
import { expect, test } from "bun:test";
import { cpSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allEntities, entities } from "../../../src/schema/index.ts";
import { auditLog } from "../../../src/server/accounts/auditLog.ts";
import { openBin } from "../../../src/server/bin/bin.ts";
import { openStore } from "../../../src/server/storage/files/openStore.ts";
import { erasuresToRepeat, noteErasure } from "../../../src/server/visitors/erasures.ts";
import { keepErased } from "../../../src/server/visitors/person.ts";
import { addForm, ANSWERS, enquiry } from "../../support/enquirySite.ts";
import { filesHolding } from "../../support/keptTexts.ts";
import { startSite } from "../../support/startSite.ts";
import { faultyDisk, oneByOne, type Operation } from "../storage/faultyDisk.ts";

const EVERY = process.env["ERASURE_CUTS"] ? 1 : 5;

/** What leaves other files behind than there were. */
const CHANGES = new Set<Operation>(["create", "write", "link", "rename", "remove"]);

/** What a start does with a data folder. Returns whether it knew of an erasure. */
async function startOn(directory: string): Promise<boolean> {
  const log = () => {};
  const disk = faultyDisk(() => {}, true);
  const store = await openStore({ directory, entities: allEntities, log, disk });
  const audit = auditLog({ store, clock: Date.now, log });
  const wasNoted = (await store.of(entities.erasures).count()) > 0;
  await keepErased({ store, bin: openBin(store), audit, log });
  await audit.settled();
  expect(await store.of(entities.emailSubscriptions).count({ status: "active" })).toBeGreaterThan(
    0,
  );
  await store.close();
  return wasNoted;
}

test("wherever it is cut short, the next start finishes it: nothing of the person is in any file", async () => {
  const folder = await mkdtemp(join(tmpdir(), "limelight-cuts-"));
  const cuts: string[] = [];
  let isErasing = false;
  // A kill leaves what the disk was told so far.
  const disk = oneByOne(
    faultyDisk((operation) => {
      if (!isErasing || !CHANGES.has(operation)) return;
      const cut = join(folder, String(cuts.length));
      cpSync(site.dataDir, cut, { recursive: true });
      cuts.push(cut);
    }, true),
  );
  const site = await startSite({ disk, env: { RATE_LIMIT: "off" } });
  await addForm(site.store);
  const owner = await site.owner();
  for (const email of ["eve@example.com", "bob@example.com"]) {
    await owner.post("/api/email-subscriptions", { email });
    for (const story of ["first", "second"]) {
      const answers = { ...ANSWERS, email, story: `The ${story} of ${email}` };
      await owner.post("/api/form-submissions", enquiry(answers));
    }
    // Its earlier form is in the history.
    const said = { words: `What ${email} said`, name: "Somebody", email };
    const { body } = await owner.post("/api/testimonials", said);
    await owner.put(`/api/testimonials/${body.id}`, { words: "Something else" });
  }
  const { body: listed } = await owner.get("/api/form-submissions/form");
  const theirs = listed.find((each: object) => JSON.stringify(each).includes("eve@example.com"));
  await owner.delete(`/api/form-submissions/${theirs.id}`);
  await owner.post("/api/auth/login", { username: "eve@example.com", password: "wrong" });
  await site.store.of(entities.auditLog).updateWhere({}, (entry) => ({
    ...entry,
    detail: `for-eve@example.com.png`,
  }));
  await site.settled();
  isErasing = true;
  const erased = await owner.post("/api/people/erase", { email: "eve@example.com" });
  isErasing = false;
  expect(erased.body).toEqual({
    subscriptions: 1,
    submissions: 2,
    testimonials: 1,
    testimonialRequests: 0,
  });
  await site.stop();

  let finished = 0;
  for (const [at, cut] of cuts.entries()) {
    if (at % EVERY !== 0) continue;
    const wasThere = (await filesHolding(cut, "eve@example.com")).length > 0;
    const wasNoted = await startOn(cut);
    const left = wasNoted ? await filesHolding(cut, "eve@example.com") : [];
    expect([cut, left]).toEqual([cut, []]);
    if (wasThere && wasNoted) finished++;
  }
  // Of each list, of the bin and of the audit log.
  expect(finished).toBeGreaterThan(12 / EVERY);
  await rm(folder, { recursive: true });
}, 120_000);

test("an erasure after one that a start couldn't repeat is not taken for the last that the data has seen", async () => {
  const site = await startSite();
  const { store } = site;
  const note = (email: string) =>
    store.transaction(async (transaction) =>
      (await noteErasure(store, transaction, email))(transaction),
    );
  const unseen = async () => {
    const { isErased } = (await erasuresToRepeat(store)) ?? {};
    return isErased && PEOPLE.filter(isErased);
  };
  await note(PEOPLE[0]!);
  expect(await unseen()).toBeUndefined();
  // As a backup of before has it.
  await store.of(entities.erasureMark).update(() => ({ seen: null }));
  await note(PEOPLE[1]!);
  expect(await unseen()).toEqual(PEOPLE.slice(0, 2));
  const { noteDone } = (await erasuresToRepeat(store))!;
  await store.transaction(noteDone);
  await note(PEOPLE[2]!);
  expect(await unseen()).toBeUndefined();
  await site.stop();
});

const PEOPLE = ["ann@example.com", "bob@example.com", "eve@example.com"];
