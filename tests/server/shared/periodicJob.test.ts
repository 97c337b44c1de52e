/** A job whose lock may belong to another instance ends before its next step, whatever job it is. */
import { afterEach, expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import { BackupScheduler } from "../../../src/server/backup/repository/backupScheduler.ts";
import { openNewsletter } from "../../../src/server/newsletter/openNewsletter.ts";
import {
  type InstanceCoordinator,
  SINGLE_INSTANCE_COORDINATOR,
} from "../../../src/server/shared/instanceCoordinator.ts";
import { startPeriodicJob, startSiteJob } from "../../../src/server/shared/periodicJob.ts";
import { startRetention } from "../../../src/server/visitors/retention.ts";
import { addForm, ANSWERS, createEnquiry } from "../../support/enquirySite.ts";
import { startLetterSite } from "../../support/letterSite.ts";
import { openMail } from "../../support/openMail.ts";
import { waitForValue } from "../../support/waits.ts";

const { runExclusively } = SINGLE_INSTANCE_COORDINATOR;
afterEach(() => void Object.assign(SINGLE_INSTANCE_COORDINATOR, { runExclusively }));

const CLOSED = Bun.randomUUIDv7();
const closedLongAgo = { stage: "closed", createdAt: "2020-01-01T00:00:00.000Z" } as const;

test("background jobs such as mail, newsletters and backups do nothing once their lock is lost", async () => {
  const set = await startLetterSite();
  const { site, server } = set;
  await set.reset();
  await addForm(site.store);
  await set.addSubscriber("ann@example.com");
  const letter = await set.createTestedLetter();
  // From here on only the jobs' checks find the work.
  await site.letters.stop();
  await site.asOwner("POST", "/api/form-submissions", createEnquiry(ANSWERS));
  await waitForValue(() => server.received.length, 1);

  let isOurs = false;
  const ended = new Set<string>();
  const busy = new Set<string>();
  const lost: InstanceCoordinator["runExclusively"] = async (job, work) => {
    if (busy.has(job)) return undefined;
    busy.add(job);
    let checks = 0;
    try {
      return await work(async () => (checks++, isOurs));
    } finally {
      busy.delete(job);
      if (checks > 0) ended.add(job);
    }
  };
  Object.assign(SINGLE_INSTANCE_COORDINATOR, { runExclusively: lost });
  server.received.length = 0;
  const submissions = site.store.of(entities.formSubmissions);
  const [first] = (await submissions.readPage({ offset: 0, limit: 1 })).items;
  const old = { ...first!, id: Bun.randomUUIDv7(), ipAddress: "203.0.113.9" };
  await submissions.insert({ ...old, createdAt: "2020-01-01T00:00:00.000Z" });
  const due = { createdAt: new Date().toISOString(), remindOn: "2020-01-01" };
  await submissions.insert({ ...old, ...due, id: Bun.randomUUIDv7() });
  await submissions.insert({ ...old, id: CLOSED, ...closedLongAgo });
  await site.store
    .of(entities.forms)
    .update((all) => all.map((form) => ({ ...form, deleteAfter: "6" as const })));
  await set.addSubscriber("bob@example.com", {
    owed: "welcome",
    askedAt: new Date().toISOString(),
  });
  await site.store
    .of(entities.letters)
    .update(letter, (each) => ({ ...each, state: "scheduled", sendAt: new Date().toISOString() }));
  const { store, bin, config } = site;
  const log = (line: string) => void site.log.push(line);
  const context = { store, config, clock: Date.now, log };
  const mail = await openMail(site, { log });
  const words = { subject: "A", text: "A", html: "A" };
  await mail.outbox.add({ kind: "notice", to: "eve@example.com", ...words });
  const letters = await openNewsletter({ ...context, bin, mail });
  const failed: unknown[] = [];
  const retentionContext = { store, bin, clock: Date.now, audit: site.audit };
  const forgetting = startRetention(retentionContext, 30, (error) => failed.push(error));
  const backups = new BackupScheduler({ ...context, command: ["false"] });
  backups.start(0);
  const jobs = ["backups", "letters", "mail", "mailing list", "outbox", "retention"];
  await waitForValue(() => jobs.filter((job) => ended.has(job)), jobs);
  const done = async () => ({
    sent: server.received.map(({ to }) => to![0]!.address!.split("@")[0]).sort(),
    owed: (await set.people().findUnique("bob@example.com"))?.owed,
    address: (await submissions.get(old.id))?.ipAddress,
    isClosedThere: (await submissions.get(CLOSED)) !== undefined,
    backup: site.log.some((line) => line.startsWith("backup failed")),
  });
  expect(await done()).toEqual({
    sent: [],
    owed: "welcome",
    address: old.ipAddress,
    isClosedThere: true,
    backup: false,
  });

  isOurs = true;
  await backups.stop();
  backups.start(0);
  forgetting.runNow();
  letters.mailingList.checkNow();
  letters.sender.sendDue();
  void mail.queueDueMessages();
  mail.outbox.sendDue();
  await waitForValue(done, {
    sent: ["Ada", "ann", "bob", "bob", "eve"],
    owed: null,
    address: null,
    isClosedThere: false,
    backup: true,
  });
  expect(failed).toEqual([]);
  await backups.stop();
  await letters.stop();
  await mail.stop();
  await forgetting.stop();
  await set.stop();
});

test("a stopped background job ends before its next step, and a job that another instance runs is skipped", async () => {
  let steps = 0;
  const begun = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const rounds = startSiteJob({
    store: { coordinator: SINGLE_INSTANCE_COORDINATOR },
    name: "job",
    intervalMs: 60_000,
    async runOnce(shouldContinue) {
      for (; await shouldContinue(); steps++) {
        begun.resolve();
        await held.promise; // oxlint-disable-line no-await-in-loop -- one step after the other
      }
    },
    onError: (error) => expect(error).toBeUndefined(),
  });
  rounds.runNow();
  await begun.promise;
  const stopped = rounds.stop();
  held.resolve();
  await stopped;
  expect(steps).toBe(1);

  const outcome = Promise.withResolvers<string>();
  const other = startSiteJob({
    store: {
      coordinator: { ...SINGLE_INSTANCE_COORDINATOR, runExclusively: async () => undefined },
    },
    name: "job",
    intervalMs: 60_000,
    runOnce: async () => outcome.reject(new Error("a round")),
    onError: outcome.reject,
    onSkipped: () => outcome.resolve("elsewhere"),
  });
  other.runNow();
  expect(await outcome.promise).toBe("elsewhere");
  await other.stop();
});

test("a background job that is woken at the end of a run runs again", async () => {
  for (let ticks = 0; ticks < 10; ticks++) {
    let count = 0;
    const ended = Promise.withResolvers<void>();
    const rounds = startPeriodicJob(60_000, async () => {
      count++;
      ended.resolve();
    });
    rounds.runNow();
    await ended.promise; // oxlint-disable-line no-await-in-loop -- one moment after the other
    for (let tick = 0; tick < ticks; tick++) await Promise.resolve(); // oxlint-disable-line no-await-in-loop
    rounds.runNow();
    await Bun.sleep(0); // oxlint-disable-line no-await-in-loop
    expect([ticks, count]).toEqual([ticks, 2]);
    await rounds.stop(); // oxlint-disable-line no-await-in-loop
  }
});
