/**
 * A refused recipient is distinguished from a failure for all, and delays nobody else (specification, section 4.20).
 */
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import {
  DeliveryError,
  toSmtpDeliveryError,
} from "../../../src/server/mail/transports/deliveryError.ts";
import { isUnknownMailbox, parseSendError } from "../../../src/server/newsletter/mailRefusals.ts";
import {
  RETRY_PERIOD_MS,
  MAX_ATTEMPTS,
  getRetryDelayMs,
} from "../../../src/server/shared/retries.ts";
import { type LetterSite, startLetterSite } from "../../support/letterSite.ts";
import { waitForValue } from "../../support/waits.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let letterSite: LetterSite;
beforeAll(async () => {
  letterSite = await startLetterSite();
});
afterAll(() => letterSite.stop());
beforeEach(() => letterSite.reset());

const createAddresses = (count: number) =>
  Array.from({ length: count }, (_, at) => `p${at}@example.com`);
/** Sends a letter to this many people. */
async function sendToCount(count: number): Promise<string> {
  for (const email of createAddresses(count)) await letterSite.addSubscriber(email);
  const id = await letterSite.createTestedLetter();
  await letterSite.send(id);
  return id;
}
const waitForProblem = (id: string, words: string) =>
  waitForValue(async () => (await letterSite.letter(id)).problem, words);
/** Advances the clock, and waits until due messages have been tried. */
async function advanceAndWait(ms: number): Promise<void> {
  letterSite.site.advance(ms);
  letterSite.site.letters.sender.sendDue();
  await letterSite.site.letters.sender.whenIdle();
}

test("a recipient with an ambiguous refusal is skipped, and everybody else gets the newsletter", async () => {
  letterSite.server.respondToRecipients((to) =>
    to === "p2@example.com" ? `550 5.7.1 <${to}>: Recipient address rejected` : undefined,
  );
  const id = await sendToCount(6);
  await waitForValue(() => letterSite.readState(id), "sent");
  expect(letterSite.listRecipients()).toEqual(
    createAddresses(6).filter((to) => to !== "p2@example.com"),
  );
  expect(await letterSite.letter(id)).toMatchObject({ sent: 5, refused: 1 });
  expect((await letterSite.people().findUnique("p2@example.com"))!.unreachable).toBeNull();
});

test("a recipient at whom the mail server always disconnects delays the others by minutes, and is given up after two days", async () => {
  letterSite.server.respondToRecipients((to) =>
    ["p1@example.com", "p2@example.com"].includes(to)
      ? "421 4.7.0 Try again later, closing connection"
      : undefined,
  );
  const id = await sendToCount(6);
  await waitForValue(async () => (await letterSite.letter(id)).problem !== null, true);
  expect(letterSite.listRecipients()).toEqual(["p0@example.com"]);
  await advanceAndWait(MINUTE_MS);
  expect(letterSite.listRecipients()).toEqual(["p0@example.com"]);
  await advanceAndWait(5 * MINUTE_MS);
  expect(letterSite.listRecipients()).toEqual(
    createAddresses(6).filter((to) => !/p[12]@/.test(to)),
  );
  // Once it continues, it no longer gives a reason for its pause.
  expect(await letterSite.letter(id)).toMatchObject({ state: "sending", problem: null, sent: 4 });
  for (let tries = 3; tries <= MAX_ATTEMPTS; tries++)
    await advanceAndWait(getRetryDelayMs(tries - 1) + MINUTE_MS); // oxlint-disable-line no-await-in-loop -- time goes by
  await letterSite.logInAgain();
  expect(await letterSite.letter(id)).toMatchObject({ state: "sent", sent: 4, refused: 2 });
});

test("the provider's sending limit pauses a newsletter, and doesn't count as a refusal of a recipient", async () => {
  letterSite.server.respondToRecipients((to) =>
    to.startsWith("p") ? "450 4.7.0 Rate limit exceeded" : undefined,
  );
  const id = await sendToCount(4);
  await waitForProblem(
    id,
    "The email provider isn't accepting more messages right now. Sending will resume automatically.",
  );
  // A refused test message isn't retried.
  const tested = await letterSite.owner().post(`/api/letters/${id}/test`, { to: "p9@example.com" });
  expect([tested.status, tested.body.error]).toEqual([
    409,
    `The email provider isn't accepting more messages right now. ("450 4.7.0 Rate limit exceeded")`,
  ]);
  for (let tries = 0; tries < 4; tries++) await advanceAndWait(2 * HOUR_MS); // oxlint-disable-line no-await-in-loop -- time goes by
  await letterSite.logInAgain();
  expect(await letterSite.letter(id)).toMatchObject({ state: "sending", sent: 0, refused: 0 });
  await advanceAndWait(48 * HOUR_MS);
  await letterSite.logInAgain();
  expect(await letterSite.letter(id)).toMatchObject({
    state: "paused",
    problem:
      "Nothing could be sent for more than two days, so this newsletter was paused. Resume it if you still want to send it.",
  });
  letterSite.server.refuseRecipients(undefined);
  await letterSite.owner().post(`/api/letters/${id}/resume`);
  await advanceAndWait(12 * HOUR_MS);
  await letterSite.logInAgain();
  expect(letterSite.listRecipients()).toEqual(createAddresses(4));
  expect(await letterSite.readState(id)).toBe("sent");
});

test("ten full mailboxes retried in a row don't stop a newsletter", async () => {
  const isFull = (to: string) => /^p\d*[02468]@/.test(to);
  letterSite.server.respondToRecipients((to) =>
    isFull(to) ? "452 4.2.2 mailbox full" : undefined,
  );
  const id = await sendToCount(20);
  await waitForValue(async () => (await letterSite.letter(id)).waiting, 10);
  await advanceAndWait(2 * MINUTE_MS);
  expect(await letterSite.letter(id)).toMatchObject({ state: "sending", sent: 10, waiting: 10 });
  letterSite.server.refuseRecipients(undefined);
  await advanceAndWait(6 * MINUTE_MS);
  expect(await letterSite.letter(id)).toMatchObject({ state: "sent", sent: 20, refused: 0 });
});

test("a failing server pauses a newsletter, which continues automatically", async () => {
  for (const email of createAddresses(11)) await letterSite.addSubscriber(email);
  const id = await letterSite.createTestedLetter();
  letterSite.server.simulateFailure("451 4.3.0 Temporary trouble of the system");
  await letterSite.send(id);
  await waitForProblem(id, "The mail server isn't accepting messages right now.");
  letterSite.server.simulateFailure(undefined);
  await advanceAndWait(MINUTE_MS);
  expect(await letterSite.letter(id)).toMatchObject({ state: "sent", sent: 11, refused: 0 });
});

test("a recipient still gets the usual number of attempts after a newsletter paused for days", async () => {
  letterSite.server.respondToRecipients((to) =>
    to === "p1@example.com" ? "450 4.2.1 busy, come again" : undefined,
  );
  const id = await sendToCount(2);
  await waitForValue(async () => (await letterSite.letter(id)).waiting, 1);
  await letterSite.owner().post(`/api/letters/${id}/pause`);
  letterSite.site.advance(72 * HOUR_MS);
  await letterSite.logInAgain();
  await letterSite.owner().post(`/api/letters/${id}/resume`);
  await letterSite.site.letters.sender.whenIdle();
  expect(await letterSite.letter(id)).toMatchObject({ state: "sending", refused: 0, waiting: 1 });
  letterSite.server.refuseRecipients(undefined);
  await advanceAndWait(6 * MINUTE_MS);
  expect(await letterSite.letter(id)).toMatchObject({ state: "sent", sent: 2, refused: 0 });
});

test("the attempts for a recipient are spread over two days", () => {
  let passed = 0;
  for (let tries = 1; tries < MAX_ATTEMPTS; tries++) passed += getRetryDelayMs(tries);
  expect(passed).toBeLessThanOrEqual(RETRY_PERIOD_MS);
  expect(passed + getRetryDelayMs(MAX_ATTEMPTS)).toBeGreaterThan(RETRY_PERIOD_MS);
});

test("a refusal counts as about the recipient or the sender, depending on the mail server's reply", () => {
  const [RCPT, MESSAGE] = [true, false];
  const cases: [string, boolean, boolean][] = [
    ["550 5.7.1 <ann@example.com>: Recipient address rejected: Access denied", RCPT, true],
    ["450 4.7.1 Greylisted, try again later", RCPT, true],
    ["452 4.2.2 Mailbox quota exceeded", RCPT, true],
    ["550 5.1.1 no such user", RCPT, true],
    ["550 5.7.1 Mail for Ann@Example.com is not wanted here", MESSAGE, true],
    ["552 5.2.2 Over quota: quota exceeded", MESSAGE, true],
    ["554 5.6.0 4213 is the number of this refusal", MESSAGE, true],
    ["550 5.7.1 Our system has detected that this message is unsolicited", MESSAGE, false],
    ["554 5.7.1 <ann@example.com>: Relay access denied", RCPT, false],
    ["550 5.7.23 <ann@example.com>: Recipient address rejected: SPF fail", RCPT, false],
    ["550 5.7.515 Access denied, sending domain example.com isn't authenticated", RCPT, false],
    ["550 Rejected, see the DMARC policy of example.com", RCPT, false],
    ["550 5.7.1 The sender domain has a DMARC policy of reject", MESSAGE, false],
    ["554 5.7.1 Client host [192.0.2.1] blocked using a list", RCPT, false],
    ["450 4.7.1 <ann@example.com>: rate limit exceeded", RCPT, false],
    ["550 5.4.5 Daily user sending limit exceeded", MESSAGE, false],
    ["421 4.3.2 shutting down", RCPT, false],
  ];
  const read = cases.map(([reply, isToAddress]) => {
    const fault = new DeliveryError("recipient", "", reply, false, isToAddress);
    return [reply, isToAddress, parseSendError(fault, "ann@example.com").isAboutRecipient];
  });
  expect(read).toEqual(cases);
});

test.each([
  ["550 5.1.0 <news@example.com>: Sender address rejected: User unknown", true],
  ["450 4.1.8 <news@example.com>: Sender address rejected: Domain not found", false],
  ["553 5.7.1 <news@example.com>: Sender address rejected: not owned by user ann", true],
  ["550 5.1.8 Access denied, bad outbound sender", true],
])("the reply %s counts as a refusal of the sender (permanent: %p)", (response, isPermanent) => {
  const responseCode = Number.parseInt(response, 10);
  const refusalOf = (command: string) => {
    const fault = toSmtpDeliveryError({ command, responseCode, response, message: response });
    expect([fault.step, fault.isPermanent]).toEqual(["sender", isPermanent]);
    return parseSendError(fault, "ann@example.com");
  };
  const message = "The mail server won't send from this address. Use the account's own address.";
  const forAll = { isPermanent, isAboutRecipient: false, message };
  expect(refusalOf("MAIL FROM")).toMatchObject(forAll);
  // In reply to a recipient, a permanent refusal of the sender may be the decision of that recipient's server.
  const forOne = { isPermanent: false, isAboutRecipient: true, message };
  for (const command of ["RCPT TO", "DATA"])
    expect(refusalOf(command)).toMatchObject(isPermanent ? forOne : forAll);
});

test("a recipient whose mail server refuses the sender doesn't delay other recipients", async () => {
  letterSite.server.respondToRecipients((to) =>
    to === "p0@example.com" || to === "p3@example.com"
      ? "550 5.7.1 Your sender address is blocked by the recipient"
      : undefined,
  );
  const id = await sendToCount(6);
  await waitForValue(() => letterSite.listRecipients().length, 4);
  await letterSite.site.letters.sender.whenIdle();
  expect(await letterSite.letter(id)).toMatchObject({ state: "sending", problem: null, sent: 4 });
  for (let tries = 2; tries <= MAX_ATTEMPTS; tries++)
    await advanceAndWait(getRetryDelayMs(tries - 1) + MINUTE_MS); // oxlint-disable-line no-await-in-loop -- time goes by
  await letterSite.logInAgain();
  expect(await letterSite.letter(id)).toMatchObject({ state: "sent", sent: 4, refused: 2 });
  expect((await letterSite.people().findUnique("p0@example.com"))!.unreachable).toBeNull();
});

test("a newsletter pauses after three refusals of the sender in a row, and later reaches all recipients", async () => {
  letterSite.server.respondToRecipients((to) =>
    to.startsWith("p") ? "553 5.7.1 Sender address rejected: not owned by user ann" : undefined,
  );
  const id = await sendToCount(6);
  await waitForValue(() => letterSite.readState(id), "paused");
  expect(await letterSite.letter(id)).toMatchObject({
    problem: "The mail server won't send from this address. Use the account's own address.",
    waiting: 3,
    refused: 0,
  });
  letterSite.server.refuseRecipients(undefined);
  expect((await letterSite.owner().post(`/api/letters/${id}/resume`)).status).toBe(200);
  await letterSite.site.letters.sender.whenIdle();
  await advanceAndWait(2 * MINUTE_MS);
  expect(letterSite.listRecipients()).toEqual(createAddresses(6));
  expect(await letterSite.letter(id)).toMatchObject({ state: "sent", sent: 6, refused: 0 });
});

test("a mailbox counts as missing only if the mail server says so, with a code or in words", () => {
  const gone = [
    "550 5.1.1 User unknown",
    "550 5.0.0 <ann@example.com>: Unknown user",
    "554 delivery error: dd This user doesn't have a yahoo.com account (ann@example.com) [0]",
    "550 Unrouteable address",
    "550 Invalid recipient ann@example.com",
  ];
  const unclear = [
    "550 5.5.0 Requested action not taken: mailbox unavailable",
    "550 5.4.1 Recipient address rejected: Access denied",
    "552 5.2.2 Mailbox full",
    "554 5.7.1 Message rejected",
  ];
  const isGone = (response: string) => isUnknownMailbox({ response });
  expect([gone.filter(isGone), unclear.filter(isGone)]).toEqual([gone, []]);
});

test.each([
  ["550 5.1.1 <certificate@example.com>: User unknown", "certificate@example.com"],
  ["550 <starttls.please@example.com>... User unknown", "starttls.please@example.com"],
  ["550 <relay@example.com>: User unknown", "relay@example.com"],
  ["550 Unknown user dmarc@example.com", "dmarc@example.com"],
  ["550 5.1.1 <ann@example.com> User unknown [10.5.1.7]", "ann@example.com"],
  ["550 No such user (5.9.12.7)", "ann@example.com"],
])("the reply %s refuses the recipient, whatever the email address", (response, to) => {
  const message = `Can't send mail - all recipients were rejected: ${response}`;
  const fault = toSmtpDeliveryError({ command: "RCPT TO", responseCode: 550, response, message });
  expect(fault).toMatchObject({ step: "recipient", isPermanent: true, response });
  const refusal = parseSendError(fault, to);
  expect(refusal).toMatchObject({ isAboutRecipient: true, isPermanent: true });
  expect(isUnknownMailbox(refusal)).toBe(true);
});

test("a number or an email address in a refusal doesn't make its recipient's mailbox count as missing", () => {
  const rejected = ["550 <inactive@example.com>: Message rejected", "550 Rejected, message 406"];
  expect(rejected.filter((response) => isUnknownMailbox({ response }))).toEqual([]);
  expect(isUnknownMailbox({ response: '{"ErrorCode":406,"Message":"Not delivered"}' })).toBe(true);
});

/** Replies to RCPT TO by servers that check the sender's address only at that time. */
const SENDER_REFUSALS = [
  // Exim, which each cPanel server uses.
  "550-Verification failed for <news@site.example>\n550-Unrouteable address\n550 Sender verify failed",
  "550-Verification failed for <news@site.example>\n550-No Such User Here\n550 Sender verify failed",
  "550-Verification failed for <news@site.example>\n550-Called: 192.0.2.1\n550-Sent: RCPT TO:<news@site.example>\n550-Response: 550 5.1.1 User unknown\n550 Sender verify failed",
  "550-Callback setup failed while verifying <news@site.example>\n550-User unknown\n550 Not accepted here",
  "550-Postmaster verification failed while checking <news@site.example>\n550-No such user\n550 Rejected",
  "550 5.1.0 Sender <news@site.example> rejected",
  "550 5.1.0 Unknown sender",
  "550 Could not verify sender: user unknown",
  "550 Unable to verify sender: no such user",
  "550 Sender domain not found: unknown user",
  "553 sorry, your envelope sender is no such user (#5.7.1)",
  "550 The from address does not match a verified Sender Identity",
];

test.each(SENDER_REFUSALS)("the reply %j refuses the sender, not the recipient", (response) => {
  const message = `Can't send mail - all recipients were rejected: ${response}`;
  const fault = toSmtpDeliveryError({ command: "RCPT TO", responseCode: 550, response, message });
  expect(fault.step).toBe("sender");
  expect(isUnknownMailbox({ response })).toBe(false);
});

test.each([
  "550 5.1.1 User unknown, please inform the sender",
  "550 Recipient verification failed for <ann@example.com>: no such user",
  "452 4.2.2 Mailbox full. The sender may try again.",
])("the reply %j counts as a refusal of the recipient", (response) => {
  const responseCode = Number.parseInt(response, 10);
  const fault = toSmtpDeliveryError({
    command: "RCPT TO",
    responseCode,
    response,
    message: response,
  });
  expect(fault.step).toBe("recipient");
});
