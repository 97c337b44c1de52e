/** Automatic messages arrive once, whatever the mail server does meanwhile (specification, section 6.7). */
import { afterEach, expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import type { AppContext } from "../../../src/server/app.ts";
import { addForm, ANSWERS, createEnquiry } from "../../support/enquirySite.ts";
import { type MailServer, startMailServer } from "../../support/mailServer.ts";
import { startMailSite } from "../../support/mailSite.ts";
import { openMail } from "../../support/openMail.ts";
import { readStoredTexts } from "../../support/storedTexts.ts";
import { createStoredSubmission } from "../content/storedSubmission.ts";
import {
  type Client,
  waitForValue,
  OWNER,
  formatRefusal,
  type Site,
} from "../../support/testSite.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let site: Site;
let server: MailServer;
let context: AppContext;
let owner: Client;
afterEach(async () => {
  await context.mail.stop();
  await Promise.all([site.stop(), server.stop()]);
});

/** Starts a site with a form, which sends its mail to a server on this machine, unless `isSetUp` is false. */
async function startMail({ isSetUp = true } = {}): Promise<void> {
  ({ site, server, context } = await startMailSite({ isMailSetUp: isSetUp }));
  await addForm(site.store);
  owner = await site.owner();
}

async function sendEnquiry(answers: object = ANSWERS, more: object = {}): Promise<void> {
  const body = { ...createEnquiry({ ...answers }), ...more };
  const { status } = await site.visitor().post("/api/form-submissions", body);
  expect(status).toBe(201);
}

/** Starts the site and sends an enquiry while the mail server is stopped. */
async function sendToStoppedServer(): Promise<void> {
  await startMail();
  await server.stop();
  await sendEnquiry();
  await waitForValue(async () => (await readNewest())?.attempts, 1);
}
const restartServer = async () =>
  (server = await startMailServer({ hasLogin: false, isPlain: true, port: server.port }));

const readState = async () => (await owner.get("/api/mail")).body;
// Copies, since toMatchObject writes into its argument.
const readMessages = async () =>
  structuredClone((await context.mail.outbox.listPage({ offset: 0, limit: 50 })).items);
const readNewest = async () => (await readMessages())[0]!;
const countReceived = () => server.received.length;
/** Advances the clock, and tries due messages. */
const advanceAndCheck = (ms: number) => {
  site.advance(ms);
  context.mail.outbox.sendDue();
};

test("a message about an enquiry, immediate or daily, lists the requested coaching package first", async () => {
  await startMail();
  site.stopClock();
  await owner.post("/api/extras", { on: ["packages"] });
  const { body } = await owner.post("/api/packages", { title: "Twelve <b>weeks</b>" });
  await sendEnquiry(ANSWERS, { about: body.id });
  await waitForValue(countReceived, 1);
  await sendEnquiry({ ...ANSWERS, name: "Bo Second" });
  await waitForValue(countReceived, 2);
  await owner.post("/api/mail", { notify: "daily" });
  await sendEnquiry({ ...ANSWERS, name: "Cy Third" }, { about: body.id });
  site.advance(24 * HOUR_MS);
  await context.mail.queueDueMessages();
  await waitForValue(countReceived, 3);
  const [first, second, daily] = server.received;
  for (const each of [first, daily])
    expect(each!.text).toMatch(/About\nTwelve <b>weeks<\/b>\n[^]*Full name\n/);
  expect(first!.html).toContain("Twelve &lt;b&gt;weeks");
  expect(second!.text).not.toContain("About\n");
});

test("a new enquiry is mailed to the owner at once and complete, with the visitor as Reply-To", async () => {
  await startMail();
  await sendEnquiry({
    ...ANSWERS,
    goals: ["Rest", "Play"],
    story: "First line\n<b>Second</b> line",
  });
  await waitForValue(countReceived, 1);
  const [email] = server.received;
  expect(email).toMatchObject({
    subject: "New submission from Ann Example · Your Name",
    from: { name: "Vera", address: "site@example.com" },
    to: [{ address: OWNER.email }],
    replyTo: [{ address: "ann@example.com" }],
  });
  expect(email!.text).toMatch(
    /Full name\nAnn Example\n[^]*E-mail\nann@example\.com\n[^]*Goals\nRest, Play\n[^]*Story\nFirst line\n<b>Second<\/b> line/,
  );
  expect(email!.html).toContain("First line<br/>&lt;b&gt;Second&lt;/b&gt; line");
  await waitForValue(async () => (await readNewest()).state, "sent");
  expect(await readNewest()).toMatchObject({ kind: "enquiry", attempts: 1, problem: null });
});

test("a message is retried while the mail server is unreachable, and arrives once", async () => {
  await sendToStoppedServer();
  expect(await readNewest()).toMatchObject({
    state: "waiting",
    problem: "Nothing is listening on this port. Check the port number.",
  });
  advanceAndCheck(2 * MINUTE_MS);
  await waitForValue(async () => (await readNewest()).attempts, 2);
  await restartServer();
  context.mail.outbox.sendDue();
  expect(countReceived()).toBe(0);
  advanceAndCheck(10 * MINUTE_MS);
  await waitForValue(async () => (await readNewest()).state, "sent");
  expect(countReceived()).toBe(1);
});

test("a message that waits for over an hour or is permanently refused is shown in the dashboard, and can be retried", async () => {
  await startMail();
  server.refuseRecipients(451);
  await sendEnquiry();
  await waitForValue(async () => (await readNewest())?.attempts, 1);
  const notices = async () => (await owner.get("/api/notices")).body.map(({ code }: any) => code);
  expect(await notices()).not.toContain("mail_trouble");
  site.advance(HOUR_MS + MINUTE_MS);
  server.refuseRecipients(550);
  context.mail.outbox.sendDue();
  await waitForValue(async () => (await readNewest()).state, "failed");
  expect(await readNewest()).toMatchObject({
    problem: "The mail server rejected this recipient's address.",
    said: expect.stringContaining("no such user"),
  });
  await waitForValue(async () => (await notices()).includes("mail_trouble"), true);
  server.refuseRecipients(undefined);
  const { id } = await readNewest();
  expect((await owner.post(`/api/mail/messages/${id}/retry`)).status).toBe(200);
  await waitForValue(async () => (await readNewest()).state, "sent");
  expect((await owner.post(`/api/mail/messages/${id}/retry`)).status).toBe(404);
  expect(countReceived()).toBe(1);
});

test("a message is given up after two days of refusals", async () => {
  await startMail();
  server.refuseRecipients(451);
  await sendEnquiry();
  for (let tries = 1; tries < 30 && (await readNewest())?.state !== "failed"; tries++) {
    await waitForValue(async () => (await readNewest())?.attempts >= tries, true);
    advanceAndCheck(8 * HOUR_MS);
  }
  const { attempts, createdAt, nextAt } = await readNewest();
  expect(attempts).toBeGreaterThan(4);
  expect(nextAt - Date.parse(createdAt!)).toBeGreaterThan(48 * HOUR_MS);
});

test("a message that waited for more than two days isn't sent, and is listed with that reason", async () => {
  await sendToStoppedServer();
  site.advance(49 * HOUR_MS);
  await restartServer();
  context.mail.outbox.sendDue();
  await waitForValue(async () => (await readNewest()).state, "failed");
  expect((await readNewest()).problem).toBe(
    "The message waited for more than two days, so it wasn't sent.",
  );
  expect(countReceived()).toBe(0);
});

test("a clock that jumps ahead expires no waiting message", async () => {
  await sendToStoppedServer();
  site.setUntrustedOffset(30 * 24 * HOUR_MS);
  context.mail.outbox.sendDue();
  await waitForValue(async () => (await readNewest()).attempts, 2);
  expect((await readNewest()).state).toBe("waiting");
  await restartServer();
  site.setUntrustedOffset(60 * 24 * HOUR_MS);
  context.mail.outbox.sendDue();
  await waitForValue(async () => (await readNewest()).state, "sent");
});

test("a trial copy of a site doesn't send the waiting messages", async () => {
  await sendToStoppedServer();
  await context.mail.stop();
  await restartServer();
  site.advance(HOUR_MS);
  const copy = await openMail(site, { clock: () => Date.now() + HOUR_MS, isSending: false });
  copy.outbox.sendDue();
  await copy.queueDueMessages();
  await copy.stop();
  expect([countReceived(), (await readNewest()).attempts]).toEqual([0, 1]);
});

test("the daily message has all enquiries of a day, and isn't sent without an enquiry", async () => {
  await startMail();
  // Otherwise it could become seven in the morning during the test.
  site.stopClock();
  expect((await owner.post("/api/mail", { notify: "daily" })).status).toBe(200);
  await sendEnquiry();
  await sendEnquiry({ ...ANSWERS, name: "Bo Second" });
  await context.mail.queueDueMessages();
  expect(countReceived()).toBe(0);
  site.advance(24 * HOUR_MS);
  await context.mail.queueDueMessages();
  await waitForValue(countReceived, 1);
  expect(server.received[0]!.subject).toBe("2 new submissions · Your Name");
  expect(server.received[0]!.text).toContain("Bo Second");
  site.advance(24 * HOUR_MS);
  await context.mail.queueDueMessages();
  await context.mail.queueDueMessages();
  expect((await readMessages()).length).toBe(1);
});

test("after 30 messages in an hour the further enquiries of that hour are combined in one message", async () => {
  await startMail();
  site.stopClock();
  site.advance(HOUR_MS - (context.clock() % HOUR_MS));
  const named = (at: number) =>
    sendEnquiry({ ...ANSWERS, name: `Visitor ${"ABCDEFGHIJ"[at % 10]}${at}x` });
  await Promise.all(Array.from({ length: 35 }, (_, at) => named(at)));
  await context.mail.queueDueMessages();
  const kinds = async () => Object.groupBy(await readMessages(), ({ kind }) => kind);
  const codes = async () =>
    ((await owner.get("/api/notices")).body as { code: string }[]).map(({ code }) => code);
  expect((await kinds()).enquiry).toHaveLength(30);
  expect((await kinds()).digest).toHaveLength(1);
  expect((await kinds()).digest![0]).toMatchObject({ state: "waiting" });
  expect(await codes()).toContain("enquiry_crowd");
  advanceAndCheck(59 * MINUTE_MS);
  await sendEnquiry({ ...ANSWERS, name: "Last of the hour" });
  await context.mail.queueDueMessages();
  advanceAndCheck(MINUTE_MS);
  await sendEnquiry({ ...ANSWERS, name: "First of the next" });
  expect((await kinds()).enquiry).toHaveLength(31);
  advanceAndCheck(MINUTE_MS);
  await waitForValue(countReceived, 32);
  const rest = server.received.filter(({ subject }) => subject === "6 new submissions · Your Name");
  expect(rest).toHaveLength(1);
  expect(rest[0]!.text).toContain("Last of the hour");
  expect(rest[0]!.text).not.toContain("First of the next");
  expect(rest[0]!.text).toContain("After 30 emails in an hour");
  const single = server.received.map(({ subject }) => /from (Visitor \w+) ·/.exec(subject!)?.[1]);
  for (const name of single) if (name) expect(rest[0]!.text).not.toContain(name);
  await context.mail.queueDueMessages();
  expect(await readMessages()).toHaveLength(32);
  site.advance(25 * HOUR_MS);
  owner = await site.logInAsOwner();
  expect(await codes()).not.toContain("enquiry_crowd");
});

test("changing how enquiries are mailed sends those that waited for the daily message, and no others", async () => {
  await startMail();
  site.stopClock();
  await context.mail.queueDueMessages();
  await sendEnquiry();
  await waitForValue(countReceived, 1);
  const set = async (body: object) => {
    site.advance(1000);
    expect((await owner.post("/api/mail", body)).status).toBe(200);
    await context.mail.queueDueMessages();
  };
  await set({ notifyTo: "new@example.com" });
  await set({ notify: "daily" });
  expect((await readMessages()).length).toBe(1);
  await sendEnquiry({ ...ANSWERS, name: "Bo Second" });
  await set({ notify: "at once" });
  await waitForValue(countReceived, 2);
  expect(server.received[1]).toMatchObject({
    subject: "1 new submission · Your Name",
    to: [{ address: "new@example.com" }],
  });
  expect(server.received[1]!.text).toContain("Bo Second");
  await set({ notify: "off" });
  await sendEnquiry();
  await set({ notify: "at once" });
  await site.logInAs("admin");
  await set({ notifyTo: null });
  expect((await readMessages()).map(({ kind }) => kind)).toEqual(["digest", "enquiry"]);
});

test.each([
  ["daily", "at once"],
  ["at once", "daily"],
] as const)(
  'an enquiry that arrives while the setting changes from "%s" to "%s" is mailed to the owner',
  async (before, after) => {
    await startMail();
    site.stopClock();
    const set = (notify: string) => owner.post("/api/mail", { notify });
    await set(before);
    site.advance(1000);
    const { storeEnquiry } = context.mail;
    const early = {
      ...createStoredSubmission("form"),
      createdAt: new Date(context.clock()).toISOString(),
    };
    site.advance(1000);
    // One enquiry is stored during the change, the other one after it.
    const late = { ...early, id: Bun.randomUUIDv7() };
    await Promise.all([
      context.mail.saveSettings((value) => ({
        ...value,
        notify: after,
        since: new Date(context.clock()).toISOString(),
      })),
      storeEnquiry(early),
    ]);
    await storeEnquiry(late);
    site.advance(25 * HOUR_MS);
    await context.mail.queueDueMessages();
    const about = (await readMessages()).filter(({ kind }) => kind === "enquiry");
    expect(about.map((each) => each.about).toSorted()).toEqual([early.id, late.id].toSorted());
  },
);

/** Whether this text is stored anywhere. */
const isTextStored = async (words: string) =>
  (await readStoredTexts(site.config)).some(({ text }) => text.includes(words));

test.each(["in its list", "in the bin"])(
  "erasing a person whose enquiry is %s erases the messages to that person and about the enquiry",
  async (enquiryState) => {
    await startMail();
    server.refuseRecipients(451);
    await sendEnquiry();
    await waitForValue(async () => (await readNewest())?.attempts, 1);
    expect(await isTextStored("ann@example.com")).toBe(true);
    const [{ id }] = (await owner.get("/api/form-submissions/form")).body;
    if (enquiryState === "in the bin") await owner.delete(`/api/form-submissions/${id}`);
    await owner.post("/api/people/erase", { email: "ann@example.com" });
    expect(await readMessages()).toEqual([]);
    expect(await isTextStored("ann@example.com")).toBe(false);
  },
);

test("erasing a person removes the person's data from waiting messages to the owner, which are still sent", async () => {
  await startMail();
  site.stopClock();
  server.refuseRecipients(451);
  const unnamed = { ...ANSWERS, email: "", name: "Nora Secret", story: "I am nora@example.com" };
  await sendEnquiry(unnamed);
  await waitForValue(async () => (await readNewest())?.attempts, 1);
  await owner.post("/api/mail", { notify: "daily" });
  await sendEnquiry({ ...ANSWERS, name: "Bo Second" });
  site.advance(24 * HOUR_MS);
  await context.mail.queueDueMessages();
  await waitForValue(async () => (await readNewest()).kind, "digest");
  await waitForValue(async () => (await readNewest()).attempts, 1);
  const digest = (await readNewest()).id;
  owner = await site.logInAsOwner();
  const { status } = await owner.post("/api/people/erase", { email: "nora@example.com" });
  expect(status).toBe(200);
  expect(await isTextStored("Nora Secret")).toBe(false);
  server.refuseRecipients(undefined);
  await context.mail.outbox.retry(digest);
  const daily = () => server.received.filter(({ subject }) => subject?.includes("new submission"));
  await waitForValue(() => daily().length, 1);
  expect(daily()[0]!.subject).toBe("1 new submission · Your Name");
  expect(daily()[0]!.text).toContain("Bo Second");
  expect(daily()[0]!.text).not.toContain("Nora");
});

test("a site without a mail account says so, and accepts enquiries without sending messages", async () => {
  await startMail({ isSetUp: false });
  await sendEnquiry();
  const none = { isSetUp: false, isFixed: false, messages: [], account: null };
  expect(await readState()).toMatchObject(none);
  context.mail.outbox.sendDue();
  await context.mail.stop();
  expect(site.log.filter((line) => line.startsWith("Messages"))).toEqual([]);
  const { status, body } = await owner.post("/api/mail/test", {});
  expect([status, body.error]).toEqual([409, "Set up email first: choose a provider, then save."]);
  expect((await owner.get("/api/mail/domain")).status).toBe(409);
});

const ACCOUNT = {
  kind: "smtp",
  host: "127.0.0.1",
  port: 1,
  security: "starttls",
  username: "vera@example.com",
} as const;

test("the mail account's password is stored encrypted, and is never returned", async () => {
  await startMail({ isSetUp: false });
  const set = (body: object) => owner.post("/api/mail", body);
  const good = {
    preset: "own",
    account: ACCOUNT,
    secret: "app word 1",
    fromAddress: "vera@example.com",
  };
  const plain = await set({ ...good, account: { ...ACCOUNT, security: "none" } });
  expect(formatRefusal(plain)).toBe(
    "422 Choose TLS or STARTTLS: a password is never sent unencrypted.",
  );
  expect((await set({ account: ACCOUNT, secret: "x" })).status).toBe(422);
  const saved = await set(good);
  expect([saved.status, saved.body.isSetUp, saved.body.hasSecret]).toEqual([200, true, true]);
  expect(JSON.stringify(saved.body)).not.toContain("app word");
  expect(site.readStored()).not.toContain("app word");
  // Another server must not get the password of this server.
  const moved = await set({ account: { ...ACCOUNT, host: "evil.example" } });
  expect([moved.status, moved.body.fields.secret]).toEqual([
    422,
    "Enter it again, because the account has changed.",
  ]);
  const tried = await owner.post("/api/mail/test", {});
  const problem = "Nothing is listening on this port. Check the port number.";
  expect(tried.body).toMatchObject({ ok: false, problem });
  const steps = tried.body.steps.map(({ step, state }: Record<string, string>) => [step, state]);
  expect(Object.fromEntries(steps)).toEqual({
    name: "done",
    connection: "failed",
    certificate: "not tried",
    login: "not tried",
    sender: "not tried",
    recipient: "not tried",
  });
  const removed = { isSetUp: false, hasSecret: false };
  expect((await owner.delete("/api/mail")).body).toMatchObject(removed);
});

test("a mail account set by MAIL_URL is shown to the owner, who can't change it", async () => {
  await startMail();
  expect(await readState()).toMatchObject({
    isFixed: true,
    isSetUp: true,
    account: { kind: "smtp", host: "127.0.0.1", security: "none" },
    fromName: "Vera",
    fromAddress: "site@example.com",
    owners: [OWNER.email],
  });
  expect((await owner.post("/api/mail", { account: ACCOUNT })).status).toBe(409);
  expect((await owner.delete("/api/mail")).status).toBe(409);
  const { body } = await owner.post("/api/mail/test", {});
  expect([body.ok, body.problem]).toEqual([true, null]);
  expect(server.received[0]).toMatchObject({
    subject: "It works · Your Name",
    to: [{ address: OWNER.email }],
  });
});

test("a mail password that another installation encrypted is reported, since it has to be entered again", async () => {
  await startMail({ isSetUp: false });
  await context.mail.settings.update((value) => ({
    ...value,
    account: ACCOUNT,
    fromAddress: "vera@example.com",
    sealedSecret: Buffer.alloc(40).toString("base64"),
  }));
  expect((await readState()).isSetUp).toBe(false);
  const notices = (await owner.get("/api/notices")).body;
  expect(notices).toMatchObject([{ code: "mail_secret_lost" }]);
  expect((await owner.post("/api/mail/webhook", { url: "https://example.com/" })).status).toBe(200);
  await context.mail.settings.update((value) => ({
    ...value,
    webhook: { ...value.webhook!, sealedSecret: Buffer.alloc(40).toString("base64") },
  }));
  const later = (await owner.get("/api/notices")).body;
  expect(later).toContainEqual(expect.objectContaining({ title: "The webhook is paused" }));
});

test("late messages, and those that failed within a week, are counted and shown as needing attention", async () => {
  await sendToStoppedServer();
  const readMarkedAndCounted = async () => {
    const { messages, waiting, failed } = await readState();
    const marked = messages.filter((each: { needsAttention: boolean }) => each.needsAttention);
    return [marked.length, waiting + failed];
  };
  const all = (await readMessages()).length;
  expect(await readMarkedAndCounted()).toEqual([0, 0]);
  site.advance(2 * HOUR_MS);
  expect(await readMarkedAndCounted()).toEqual([all, all]);
  for (const { id } of await readMessages())
    await site.store.of(entities.outbox).update(id, (each) => ({ ...each, state: "failed" }));
  expect(await readMarkedAndCounted()).toEqual([all, all]);
  site.advance(7 * 24 * HOUR_MS);
  // Logs in again, since the session has ended.
  await owner.post("/api/auth/login", OWNER);
  expect(await readMarkedAndCounted()).toEqual([0, 0]);
});
