/** Many messages at a time: their order, what holds them back, and who writes them. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { entities } from "../../../../src/schema/index.ts";
import type { AppContext } from "../../../../src/server/app.ts";
import type { NewMessage } from "../../../../src/server/mail/queue/outbox.ts";
import { type MailServer, startSlowProxy, startMailServer } from "../../../support/mailServer.ts";
import { startMailSite } from "../../../support/mailSite.ts";
import { openMail } from "../../../support/openMail.ts";
import { createStoredSubmission } from "../../content/storedSubmission.ts";
import { createDiskError, createFaultyDisk } from "../../storage/faultyDisk.ts";
import { waitForValue, type Site } from "../../../support/testSite.ts";

/** The delay of each response of a slow server, in milliseconds; MAIL_SLOW=20000 makes it long. */
const SLOW_DELAY_MS = Number(process.env["MAIL_SLOW"] ?? 100);

/** Whether the disk is full, including the reserve. */
let isFull = false;
const disk = createFaultyDisk((operation, path) => {
  if (isFull && operation === "write" && path.startsWith(site.dataDir))
    throw createDiskError("ENOSPC");
}, true);

let site: Site;
let server: MailServer;
let context: AppContext;
beforeEach(async () => {
  isFull = false;
  ({ site, server, context } = await startMailSite({
    hasOwner: false,
    hasLimits: true,
    env: { PRIVATE_CALLS: "on" },
    ...(process.env["TEST_DATABASE_URL"] === undefined && { disk }),
  }));
});
afterEach(async () => {
  await Promise.all([site.stop(), server.stop()]);
});

const createMessage = (kind: NewMessage["kind"], to: string): NewMessage => ({
  kind,
  to: `${to}@example.com`,
  subject: to,
  text: "words",
  html: "<p>words</p>",
});
const addAll = (messages: readonly NewMessage[]) =>
  context.mail.outbox.addInTransaction(async () => messages);
const listReceived = () => server.received.map(({ subject }) => subject);
const readStored = async () =>
  (await context.mail.outbox.listPage({ offset: 0, limit: 50 })).items.toReversed();
const readStates = async () => (await readStored()).map(({ state }) => state);
const readAttempts = async () =>
  (await readStored()).map(({ state, attempts }) => `${state} ${attempts}`);

test("messages are sent in order, marked as automatic mail", async () => {
  await addAll(["a", "b", "c"].map((to) => createMessage("enquiry", to)));
  await waitForValue(() => listReceived(), ["a", "b", "c"]);
  const headers = Object.fromEntries(
    server.received[0]!.headers.map(({ key, value }) => [key, value]),
  );
  expect(headers).toMatchObject({ "auto-submitted": "auto-generated" });
});

test("a scheduled message is sent at its time, and doesn't count as delayed before", async () => {
  const { outbox } = context.mail;
  const DAY = 24 * 60 * 60_000;
  await outbox.add({ ...createMessage("enquiry", "later"), sendAt: Date.now() + 3 * DAY });
  await outbox.add(createMessage("enquiry", "now"));
  await waitForValue(() => server.received.length, 1);
  site.advance(2 * DAY);
  outbox.sendDue();
  await waitForValue(async () => (await outbox.countProblems()).waiting, 0);
  site.advance(1.1 * DAY);
  outbox.sendDue();
  await waitForValue(() => listReceived(), ["now", "later"]);
});

test("a message that an earlier build stored in full is sent as it is", async () => {
  await addAll([createMessage("reply", "a"), createMessage("digest", "b")]);
  await waitForValue(() => listReceived(), ["a", "b"]);
  expect(server.received.map(({ text }) => text!.trim())).toEqual(["words", "words"]);
});

test("a message about something deleted doesn't count as a failure", async () => {
  const { outbox } = context.mail;
  const digest = { ...createMessage("digest", "a"), text: "", html: "" };
  const about = "2026-01-01T00:00:00.000Z/2026-01-02T00:00:00.000Z";
  await outbox.add({ ...digest, about });
  await waitForValue(readStates, ["failed"]);
  const { id } = await outbox.add({ ...createMessage("thanks", "b"), sendAt: Date.now() + 60_000 });
  const declined = { state: "failed", nextAt: 0, expiresAt: 0, text: "", html: "" } as const;
  await site.store.of(entities.outbox).update(id, (each) => ({ ...each, ...declined }));
  expect(await outbox.countProblems()).toEqual({ waiting: 0, failed: 0 });
});

test("while the mail server is unreachable only one message is tried at a time", async () => {
  const { port } = server;
  await server.stop();
  await addAll(["a", "b", "c"].map((to) => createMessage("enquiry", to)));
  const attempts = async () => (await readStored()).map((each) => each.attempts);
  await waitForValue(attempts, [1, 0, 0]);
  context.mail.outbox.sendDue();
  await waitForValue(attempts, [1, 1, 0]);
  server = await startMailServer({ hasLogin: false, isPlain: true, port });
});

test("each message is stored as sent before the next one is sent", async () => {
  const before: (string | undefined)[][] = [];
  server.whenReceived(() => readStates().then((each) => void before.push(each.toSorted())));
  await addAll(["a", "b", "c"].map((to) => createMessage("enquiry", to)));
  await waitForValue(
    () => before,
    [
      ["waiting", "waiting", "waiting"],
      ["sent", "waiting", "waiting"],
      ["sent", "sent", "waiting"],
    ],
  );
});

test.skipIf(process.env["TEST_DATABASE_URL"] !== undefined)(
  "on a full disk no message is sent twice, and the next message waits until there is space again",
  async () => {
    const { outbox } = context.mail;
    server.whenReceived(() => (isFull = true));
    await addAll(["a", "b"].map((to) => createMessage("enquiry", to)));
    const complaints = () =>
      site.log.filter((line) => line.includes("message queue couldn't be processed"));
    for (const times of [1, 2, 3]) {
      await waitForValue(() => complaints().length >= times, true); // oxlint-disable-line no-await-in-loop
      outbox.sendDue();
    }
    expect(listReceived()).toEqual(["a"]);
    server.whenReceived(undefined);
    isFull = false;
    outbox.sendDue();
    await waitForValue(() => listReceived(), ["a", "b"]);
    await waitForValue(readStates, ["sent", "sent"]);
  },
);

test("a greylisting mail server accepts each message at the second attempt, and gets it once", async () => {
  await server.stop();
  const kind = { hasLogin: false, isPlain: true, isGreylisting: true };
  server = await startMailServer({ ...kind, port: server.port });
  const { outbox } = context.mail;
  await addAll(["a", "b"].map((to) => createMessage("enquiry", to)));
  // The refusal is about the recipient, so the second message is tried too.
  await waitForValue(readAttempts, Array(2).fill("waiting 1"));
  expect((await readStored())[0]).toMatchObject({
    problem: "The mail server isn't accepting messages for this address right now.",
    said: "450 4.7.1 Greylisted, come again in a few minutes",
  });
  site.advance(2 * 60_000);
  outbox.sendDue();
  await waitForValue(readAttempts, Array(2).fill("sent 2"));
  expect(listReceived()).toEqual(["a", "b"]);
});

test(
  "a slow mail server gets each message once, and doesn't delay the webhook or the pages",
  async () => {
    const { port } = server;
    await server.stop();
    server = await startMailServer({ hasLogin: false, isPlain: true });
    const greeted = Promise.withResolvers<void>();
    const slow = await startSlowProxy(server.port, {
      delayMs: SLOW_DELAY_MS,
      port,
      ready: greeted.promise,
    });
    const carried: unknown[] = [];
    const receiver = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        carried.push((await request.json()).data.id);
        return new Response();
      },
    });
    await context.mail.webhook.setUrl(receiver.url.href);
    await addAll(["a", "b", "c"].map((to) => createMessage("enquiry", to)));
    const enquiry = createStoredSubmission("a form");
    await context.mail.storeEnquiry(enquiry);
    await waitForValue(() => carried, [enquiry.id]);
    await receiver.stop(true);
    expect((await fetch(site.url)).ok).toBe(true);
    expect(listReceived()).toEqual([]);
    greeted.resolve();
    while ((await readStates()).includes("waiting")) await Bun.sleep(20); // oxlint-disable-line no-await-in-loop
    expect(listReceived()).toEqual(["a", "b", "c"]);
    expect(await readAttempts()).toEqual(Array(4).fill("sent 1"));
    slow.stop();
  },
  60_000 + 20 * SLOW_DELAY_MS,
);

test("a message whose acknowledgment was cut off is sent once more, with the same Message-ID", async () => {
  server.simulateFailure("cut answer");
  const { messageId } = await context.mail.outbox.add(createMessage("enquiry", "a"));
  await waitForValue(readAttempts, ["waiting 1"]);
  server.simulateFailure(undefined);
  site.advance(2 * 60_000);
  context.mail.outbox.sendDue();
  await waitForValue(readStates, ["sent"]);
  expect(server.received.map((each) => each.messageId)).toEqual([messageId, messageId]);
});

test("a stop of the site interrupts a message to a hanging mail server, which is sent after the next start", async () => {
  const { mail } = context;
  server.simulateFailure("silent");
  const { promise, resolve } = Promise.withResolvers<void>();
  server.whenReceived(resolve);
  const first = await mail.outbox.add(createMessage("enquiry", "first"));
  const second = await mail.outbox.add(createMessage("enquiry", "second"));
  await promise;
  mail.setShutdownDeadline(0);
  await mail.stop();
  expect(await readAttempts()).toEqual(Array(2).fill("waiting 0"));
  expect(site.log.join("\n")).toContain("Sending was interrupted, because the site is stopping.");
  server.simulateFailure(undefined);
  const next = await openMail(site);
  await waitForValue(
    () => server.received.map(({ messageId }) => messageId),
    [first, second].map(({ messageId }) => messageId),
  );
  await next.stop();
});
