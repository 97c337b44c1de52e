/** A stolen session, or a dashboard left open, can't write to strangers (specification, section 6.3). */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import { addForm, ANSWERS, createEnquiry } from "../../support/enquirySite.ts";
import { LETTER } from "../../support/letterSite.ts";
import type { MailServer } from "../../support/mailServer.ts";
import { startMailSite } from "../../support/mailSite.ts";
import { createSubscriber } from "../../support/subscribers.ts";
import { type Client, waitForValue, OWNER, type Site } from "../../support/testSite.ts";

const MINUTE_MS = 60_000;

let site: Site;
let server: MailServer;
let thief: Client;
let letterId: string;
beforeEach(async () => {
  ({ site, server } = await startMailSite({ hasAddress: true, hasLimits: true }));
  site.stopClock();
  thief = await site.owner();
  await thief.post("/api/letters/settings", { postalAddress: "12 Lamp Street" });
  await site.store.of(entities.emailSubscriptions).insert(createSubscriber("fan@example.com"));
  letterId = `/api/letters/${(await thief.post("/api/letters", LETTER)).body.id}`;
  expect((await thief.post(`${letterId}/test`, {})).status).toBe(200);
  server.received.length = 0;
});
afterEach(() => Promise.all([site.stop(), server.stop()]));

/** The login no longer proves the password. */
const expireProof = () => site.advance(11 * MINUTE_MS);
const proveIdentity = () => thief.post("/api/auth/proof", { password: OWNER.password });
const isOwners = (address = "") => address.toLowerCase() === OWNER.email.toLowerCase();
const countSentToOthers = () =>
  server.received.filter(({ to }) => !isOwners(to![0]!.address)).length;

test.each([
  ["of a letter", () => `${letterId}/test`],
  ["of the mail", () => "/api/mail/test"],
])(
  "a test %s can be sent to an owner at any time, but to strangers only five times an hour",
  async (_, path) => {
    expireProof();
    for (const to of [undefined, OWNER.email, OWNER.email.toLowerCase()])
      expect((await thief.post(path(), { to })).status).toBe(200);
    expect((await thief.post(path(), { to: "stranger@example.com" })).status).toBe(403);
    expect(countSentToOthers()).toBe(0);
    await proveIdentity();
    const statuses = [];
    for (let at = 0; at < 60; at++)
      statuses.push((await thief.post(path(), { to: `stranger${at}@example.com` })).status);
    expect(statuses).toEqual([...Array(5).fill(200), ...Array(55).fill(429)]);
    expect(countSentToOthers()).toBe(5);
    expect((await thief.post(path(), {})).status).toBe(200);
  },
);

test("test newsletters and test messages to others have one common limit", async () => {
  const statuses = [];
  for (let at = 0; at < 6; at++) {
    const path = at % 2 === 0 ? `${letterId}/test` : "/api/mail/test";
    statuses.push((await thief.post(path, { to: `stranger${at}@example.com` })).status);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
});

test("each reply to an enquiry after the tenth in an hour requires a proof of identity", async () => {
  await addForm(site.store);
  const sent = await site.visitor().post("/api/form-submissions", createEnquiry(ANSWERS));
  const path = `/api/form-submissions/${sent.body.id}/replies`;
  const reply = () => thief.post(path, { subject: "Hello", text: "Look at this" });
  expireProof();
  const statuses = [];
  for (let at = 0; at < 30; at++) statuses.push((await reply()).status);
  expect(statuses).toEqual([...Array(10).fill(201), ...Array(20).fill(403)]);
  await proveIdentity();
  expect((await reply()).status).toBe(201);
  await waitForValue(() => countSentToOthers(), 11);
});
