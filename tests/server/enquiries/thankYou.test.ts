/**
 * A visitor gets a thank-you, and nobody can be flooded or sent advertising with it (specification, section 4.18).
 */
import { afterEach, expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import type { AppContext } from "../../../src/server/app.ts";
import { normalizeMailbox } from "../../../src/server/shared/mailbox.ts";
import { addForm, ANSWERS, createEnquiry } from "../../support/enquirySite.ts";
import type { MailServer } from "../../support/mailServer.ts";
import { startMailSite } from "../../support/mailSite.ts";
import { waitForValue, type Site } from "../../support/testSite.ts";

let site: Site;
let server: MailServer;
let context: AppContext;
afterEach(async () => {
  await Promise.all([site.stop(), server.stop()]);
});

async function startThankYouSite({ hasLimits = false, thanks = true } = {}): Promise<void> {
  ({ site, server, context } = await startMailSite({
    hasLimits,
    env: { TRUSTED_PROXIES: "127.0.0.1" },
  }));
  await context.mail.settings.update((value) => ({ ...value, notify: "off" }));
  // Otherwise the limit would admit one more message on a slow machine.
  if (hasLimits) site.stopClock();
  await addForm(site.store);
  const thanksWords = "Lovely to hear from you.\nVera";
  await site.store
    .of(entities.forms)
    .update((all) =>
      all.map((form) => ({ ...form, thanksMail: thanks && form.id === "form", thanksWords })),
    );
}

/** Sends an enquiry from this address, as a proxy reports it. */
async function sendEnquiry(answers: object, from = "203.0.113.1"): Promise<number> {
  const body = createEnquiry({ ...ANSWERS, ...answers });
  const headers = { "x-forwarded-for": from };
  return (await site.visitor().call("POST", "/api/form-submissions", body, headers)).status;
}

const countReceived = () => server.received.length;
const listKinds = async () =>
  (await context.mail.outbox.listPage({ offset: 0, limit: 50 })).items.map(({ kind }) => kind);
const countDeclined = () => site.log.filter((line) => line.includes("no thank-you")).length;

test("a visitor gets one thank-you email with the owner's text, and with no typed text but the first name", async () => {
  await startThankYouSite();
  await site.store
    .of(entities.site)
    .update((value) => ({ ...value, contactEmail: "vera@example.com" }));
  await sendEnquiry({
    name: "Ann Lee",
    goals: ["Rest", "Play"],
    story: "Buy at https://evil.example/x or www.evil.example now",
  });
  await waitForValue(countReceived, 1);
  const [email] = server.received;
  expect(email).toMatchObject({
    subject: "Thank you for your enquiry · Your Name",
    to: [{ address: "ann@example.com" }],
    replyTo: [{ address: "vera@example.com" }],
  });
  expect(email!.text).toContain("Hello Ann,\n\nLovely to hear from you.\nVera");
  expect(email!.html).toContain("Hello Ann,");
  for (const typed of ["Lee", "Rest", "Buy", "evil"])
    expect([typed, (email!.text! + email!.html!).includes(typed)]).toEqual([typed, false]);
  const headers = Object.fromEntries(email!.headers.map(({ key, value }) => [key, value]));
  expect(headers["auto-submitted"]).toBe("auto-generated");
  await context.mail.queueDueMessages();
  expect(await listKinds()).toEqual(["thanks"]);
});

test("a typed name that doesn't look like a name isn't in the thank-you email", async () => {
  await startThankYouSite();
  const name = "paypa1-support.com/login";
  await sendEnquiry({ name });
  await waitForValue(countReceived, 1);
  const [email] = server.received;
  const all = `${email!.subject} ${email!.text} ${email!.html} ${JSON.stringify(email!.headers)}`;
  expect(all).not.toContain("Hello");
  expect(all).not.toContain(name.slice(0, 4));
});

test("an answer can't add a line break or a second recipient to the thank-you email", async () => {
  await startThankYouSite();
  for (const email of [
    "ann@example.com\r\nBcc: bob@example.com",
    "ann@example.com, bob@example.com",
    '"Ann" <ann@example.com>, <bob@example.com>',
  ])
    expect(await sendEnquiry({ email })).toBe(422);
  await sendEnquiry({ name: "Ann\r\nBcc: bob@example.com" });
  await waitForValue(countReceived, 1);
  expect(server.received[0]!.bcc ?? []).toEqual([]);
  expect(server.received[0]!.to!.length).toBe(1);
});

test("while the form's setting is off, nobody gets a thank-you email", async () => {
  await startThankYouSite({ thanks: false });
  expect(await sendEnquiry({})).toBe(201);
  await context.mail.queueDueMessages();
  expect(await listKinds()).toEqual([]);
});

test("a mailbox gets at most three thank-you emails a day, however the email address is spelled", async () => {
  await startThankYouSite({ hasLimits: true });
  const spellings = [
    "ann.lee@gmail.com",
    "annlee+1@gmail.com",
    "a.nnlee@gmail.com",
    "ANNLEE@GMAIL.COM",
  ];
  for (const [at, email] of spellings.entries())
    expect(await sendEnquiry({ email }, `198.51.${at}.1`)).toBe(201);
  await waitForValue(countDeclined, 1);
  await waitForValue(countReceived, 3);
  expect(normalizeMailbox("ann.lee+x@Gmail.com")).toBe("annlee@gmail.com");
  expect(normalizeMailbox("ann.lee@googlemail.com")).toBe("annlee@gmail.com");
});

test("one sender causes at most three thank-you emails in a row, and further enquiries are still accepted", async () => {
  await startThankYouSite({ hasLimits: true });
  for (let at = 0; at < 5; at++)
    expect(await sendEnquiry({ email: `v${at}@example.com` })).toBe(201);
  await waitForValue(countDeclined, 2);
  await waitForValue(countReceived, 3);
  await context.mail.queueDueMessages();
  const { items } = await context.mail.outbox.listPage({ offset: 0, limit: 50 });
  expect(
    items
      .map(({ state }) => state)
      .toSorted()
      .join(" "),
  ).toBe("sent sent sent");
  expect(await context.mail.outbox.countProblems()).toEqual({ waiting: 0, failed: 0 });
});
