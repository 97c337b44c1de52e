/**
 * A refused recipient is told apart from a failure for all, and delays nobody else (specification, section 4.20).
 */
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { DeliveryError, toDeliveryError } from "../../../src/server/mail/carriers/deliveryError.ts";
import { isUnknownMailbox, parseSendError } from "../../../src/server/newsletter/mailRefusals.ts";
import {
  RETRY_PERIOD_MS,
  MAX_ATTEMPTS,
  getRetryDelayMs,
} from "../../../src/server/shared/retries.ts";
import { type LetterSite, startLetterSite } from "../../support/letterSite.ts";
import { eventually } from "../../support/waits.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let on: LetterSite;
beforeAll(async () => {
  on = await startLetterSite();
});
afterAll(() => on.stop());
beforeEach(() => on.reset());

const persons = (count: number) => Array.from({ length: count }, (_, at) => `p${at}@example.com`);
/** Sends a letter to this many people. */
async function sendTo(count: number): Promise<string> {
  for (const email of persons(count)) await on.add(email);
  const id = await on.ready();
  await on.send(id);
  return id;
}
const problem = (id: string, words: string) =>
  eventually(async () => (await on.letter(id)).problem, words);
/** Advances the clock, and waits until due messages were tried. */
async function later(ms: number): Promise<void> {
  on.site.advance(ms);
  on.site.letters.sender.checkNow();
  await on.site.letters.sender.whenIdle();
}

test("an address with an ambiguous refusal is skipped, and everybody else gets the newsletter", async () => {
  on.server.answer((to) =>
    to === "p2@example.com" ? `550 5.7.1 <${to}>: Recipient address rejected` : undefined,
  );
  const id = await sendTo(6);
  await eventually(() => on.stateOf(id), "sent");
  expect(on.receivers()).toEqual(persons(6).filter((to) => to !== "p2@example.com"));
  expect(await on.letter(id)).toMatchObject({ sent: 5, refused: 1 });
  expect((await on.people().findUnique("p2@example.com"))!.unreachable).toBeNull();
});

test("an address at which the server always disconnects delays the others by a minute, and is given up after two days", async () => {
  on.server.answer((to) =>
    ["p1@example.com", "p2@example.com"].includes(to)
      ? "421 4.7.0 Try again later, closing connection"
      : undefined,
  );
  const id = await sendTo(6);
  await eventually(async () => (await on.letter(id)).problem !== null, true);
  expect(on.receivers()).toEqual(["p0@example.com"]);
  await later(MINUTE);
  expect(on.receivers()).toEqual(["p0@example.com"]);
  await later(5 * MINUTE);
  expect(on.receivers()).toEqual(persons(6).filter((to) => !/p[12]@/.test(to)));
  // Once it continues, it no longer gives a reason for its pause.
  expect(await on.letter(id)).toMatchObject({ state: "sending", problem: null, sent: 4 });
  for (let tries = 3; tries <= MAX_ATTEMPTS; tries++)
    await later(getRetryDelayMs(tries - 1) + MINUTE); // oxlint-disable-line no-await-in-loop -- time goes by
  await on.loginAgain();
  expect(await on.letter(id)).toMatchObject({ state: "sent", sent: 4, refused: 2 });
});

test("a limit of the account pauses everything, and counts as nobody's refusal", async () => {
  on.server.answer((to) => (to.startsWith("p") ? "450 4.7.0 Rate limit exceeded" : undefined));
  const id = await sendTo(4);
  await problem(
    id,
    "The email provider isn't accepting more messages right now. Sending will resume automatically.",
  );
  // A test isn't sent again.
  const tested = await on.owner().post(`/api/letters/${id}/test`, { to: "p9@example.com" });
  expect([tested.status, tested.body.error]).toEqual([
    409,
    `The email provider isn't accepting more messages right now. ("450 4.7.0 Rate limit exceeded")`,
  ]);
  for (let tries = 0; tries < 4; tries++) await later(2 * HOUR); // oxlint-disable-line no-await-in-loop -- time goes by
  await on.loginAgain();
  expect(await on.letter(id)).toMatchObject({ state: "sending", sent: 0, refused: 0 });
  await later(48 * HOUR);
  await on.loginAgain();
  expect(await on.letter(id)).toMatchObject({
    state: "paused",
    problem:
      "Nothing could be sent for more than two days, so this newsletter was paused. Resume it if you still want to send it.",
  });
  on.server.refuse(undefined);
  await on.owner().post(`/api/letters/${id}/resume`);
  await later(12 * HOUR);
  await on.loginAgain();
  expect(on.receivers()).toEqual(persons(4));
  expect(await on.stateOf(id)).toBe("sent");
});

test("retrying ten full mailboxes in a row doesn't stop a newsletter", async () => {
  const isFull = (to: string) => /^p\d*[02468]@/.test(to);
  on.server.answer((to) => (isFull(to) ? "452 4.2.2 mailbox full" : undefined));
  const id = await sendTo(20);
  await eventually(async () => (await on.letter(id)).waiting, 10);
  await later(2 * MINUTE);
  expect(await on.letter(id)).toMatchObject({ state: "sending", sent: 10, waiting: 10 });
  on.server.refuse(undefined);
  await later(6 * MINUTE);
  expect(await on.letter(id)).toMatchObject({ state: "sent", sent: 20, refused: 0 });
});

test("a failing server pauses a newsletter, which continues automatically", async () => {
  for (const email of persons(11)) await on.add(email);
  const id = await on.ready();
  on.server.spoil("451 4.3.0 Temporary trouble of the system");
  await on.send(id);
  await problem(id, "The mail server isn't accepting messages right now.");
  on.server.spoil(undefined);
  await later(MINUTE);
  expect(await on.letter(id)).toMatchObject({ state: "sent", sent: 11, refused: 0 });
});

test("after a pause of days each recipient still has the usual number of attempts", async () => {
  on.server.answer((to) => (to === "p1@example.com" ? "450 4.2.1 busy, come again" : undefined));
  const id = await sendTo(2);
  await eventually(async () => (await on.letter(id)).waiting, 1);
  await on.owner().post(`/api/letters/${id}/pause`);
  on.site.advance(72 * HOUR);
  await on.loginAgain();
  await on.owner().post(`/api/letters/${id}/resume`);
  await on.site.letters.sender.whenIdle();
  expect(await on.letter(id)).toMatchObject({ state: "sending", refused: 0, waiting: 1 });
  on.server.refuse(undefined);
  await later(6 * MINUTE);
  expect(await on.letter(id)).toMatchObject({ state: "sent", sent: 2, refused: 0 });
});

test("the attempts are spread over two days", () => {
  let passed = 0;
  for (let tries = 1; tries < MAX_ATTEMPTS; tries++) passed += getRetryDelayMs(tries);
  expect(passed).toBeLessThanOrEqual(RETRY_PERIOD_MS);
  expect(passed + getRetryDelayMs(MAX_ATTEMPTS)).toBeGreaterThan(RETRY_PERIOD_MS);
});

test("the server's reply determines whether a refusal is about the recipient or the sender", () => {
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
])("%s, in reply to the recipient, is about the sender; permanent: %p", (response, isPermanent) => {
  const responseCode = Number.parseInt(response, 10);
  const fault = toDeliveryError({ command: "RCPT TO", responseCode, response, message: response });
  expect(fault.step).toBe("sender");
  expect(parseSendError(fault, "ann@example.com")).toMatchObject({
    isPermanent,
    isAboutRecipient: false,
    message: "The mail server won't send from this address. Use the account's own address.",
  });
});

test("a mailbox is gone only if the server says so, with a code or in words", () => {
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
  const isGone = (reply: string) => isUnknownMailbox({ reply });
  expect([gone.filter(isGone), unclear.filter(isGone)]).toEqual([gone, []]);
});
