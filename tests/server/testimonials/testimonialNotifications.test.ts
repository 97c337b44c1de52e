/** Whom a testimonial by a link is told, and how somebody is asked by mail (specification, section 2.24). */
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import type { AppContext } from "../../../src/server/app.ts";
import type { MailServer } from "../../support/mailServer.ts";
import { startMailSite } from "../../support/mailSite.ts";
import { startPushService } from "../../support/pushService.ts";
import { type Client, eventually, OWNER, siteForAll } from "../../support/testSite.ts";

const DAY = 86_400_000;

let server: MailServer;
let context: AppContext;
let owner: Client;
const service = startPushService();
const site = siteForAll(async () => {
  const started = await startMailSite({ hasAddress: true, env: { PRIVATE_CALLS: "on" } });
  ({ server, context } = started);
  return started.site;
});
beforeAll(async () => {
  owner = await site.owner();
  await owner.post("/api/extras", { on: ["testimonials"] });
});
afterAll(() => Promise.all([context.mail.stop(), server.stop(), service.stop()]));
beforeEach(async () => {
  await site.store.of(entities.testimonials).update((all) => (all.length > 0 ? [] : all));
  await owner.post("/api/mail", { notify: "at once" });
  server.taken.length = 0;
});

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const SAID = { words: "Two tins of beans, and nobody laughed.", name: "Denise Barker" };

async function requestLink(more: object = {}) {
  const { body: request } = await owner.post("/api/testimonial-requests", more);
  const { body } = await owner.get(`/api/testimonial-requests/${request.id}/link`);
  return { ...request, ...body } as { id: string; link: string; canMail: boolean };
}

async function say(link: string, body: object = { ...SAID, agreed: "yes" }) {
  const path = link.slice(site.url.length);
  const text = new URLSearchParams({ ...body }).toString();
  expect((await site.visitor().post(path, text, FORM)).status).toBe(200);
}

test("the owner is told at once by mail, whole, with the way to it", async () => {
  await say((await requestLink()).link);
  const email = await server.arrived("Denise Barker wrote you a testimonial · Your Name");
  expect(email.to![0]!.address).toBe(OWNER.email);
  for (const said of [SAID.words, `${site.url}/admin/dashboard?tab=testimonials`])
    expect(email.text).toContain(said);
});

test("it is told on devices, and so is that it was taken back", async () => {
  await owner.post("/api/push", service.subscription);
  await eventually(() => service.taken.length, 1);
  const { link } = await requestLink();
  await say(link);
  await eventually(() => service.taken.length, 2);
  expect(service.taken[1]!.notification).toEqual({
    title: "Denise Barker wrote you a testimonial",
    body: SAID.words,
    link: "/admin/dashboard?tab=testimonials",
    tag: expect.any(String),
  });
  await say(link, { do: "take-back" });
  await eventually(() => service.taken.length, 3);
  expect(service.taken[2]!.notification.title).toBe("Denise Barker withdrew their testimonial");
  await eventually(
    () => server.taken.map(({ subject }) => subject),
    [
      "Denise Barker wrote you a testimonial · Your Name",
      "Denise Barker withdrew their testimonial · Your Name",
    ],
  );
});

test("who wants one message a day has it in that, and who wants none by mail gets none", async () => {
  await owner.post("/api/mail", { notify: "off" });
  await say((await requestLink()).link);
  await owner.post("/api/mail", { notify: "daily" });
  await context.mail.queueDueMessages();
  await say((await requestLink()).link, { ...SAID, name: "Marcus Bell", agreed: "yes" });
  await context.mail.queueDueMessages();
  expect(server.taken).toEqual([]);
  site.advance(DAY);
  await context.mail.queueDueMessages();
  const { text } = await server.arrived("1 new testimonial · Your Name");
  expect(text).toContain("Marcus Bell wrote you a testimonial");
  expect(text).not.toContain("Denise");
  owner = await site.loginAsOwner();
});

test("who is asked by mail gets the link in the site's language, with the owner to answer to", async () => {
  await owner.post("/api/site", { language: "de" });
  const { id, link, canMail } = await requestLink({ who: "Aoife", email: "aoife@example.com" });
  expect(canMail).toBe(true);
  const { status } = await owner.post(`/api/testimonial-requests/${id}/mail`);
  expect(status).toBe(202);
  const email = await server.arrived("Ihr Name bittet Sie um ein paar Worte");
  expect(email).toMatchObject({
    to: [{ address: "aoife@example.com" }],
    replyTo: [{ address: OWNER.email }],
  });
  expect(email.text).toContain(link);
  expect(email.text).not.toContain("Aoife");
  await owner.post("/api/site", { language: "en" });
});

test("without an email nothing is sent, nor by an editor, nor for a link that is used", async () => {
  const { id, link } = await requestLink();
  const refused = await owner.post(`/api/testimonial-requests/${id}/mail`);
  expect([refused.status, refused.body.error]).toEqual([409, "Enter their email address first."]);
  const editor = await site.loginAs("editor");
  expect((await editor.get(`/api/testimonial-requests/${id}/link`)).body.canMail).toBe(false);
  await say(link);
  expect((await owner.get(`/api/testimonial-requests/${id}/link`)).status).toBe(404);
  expect((await owner.post(`/api/testimonial-requests/${id}/mail`)).status).toBe(404);
});
