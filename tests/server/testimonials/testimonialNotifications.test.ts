/** Notifications of a testimonial by a link, and requests by mail (specification, section 2.24). */
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import type { AppContext } from "../../../src/server/app.ts";
import type { MailServer } from "../../support/mailServer.ts";
import { startMailSite } from "../../support/mailSite.ts";
import { startPushService } from "../../support/pushService.ts";
import { type Client, waitForValue, OWNER, setUpSiteForAll } from "../../support/testSite.ts";

const DAY_MS = 86_400_000;

let server: MailServer;
let context: AppContext;
let owner: Client;
const service = startPushService();
const site = setUpSiteForAll(async () => {
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
  server.received.length = 0;
});

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const TESTIMONIAL = { words: "Two tins of beans, and nobody laughed.", name: "Denise Barker" };

async function requestLink(more: object = {}) {
  const { body: request } = await owner.post("/api/testimonial-requests", more);
  const { body } = await owner.get(`/api/testimonial-requests/${request.id}/link`);
  return { ...request, ...body } as { id: string; link: string; canMail: boolean };
}

async function postTestimonial(link: string, body: object = { ...TESTIMONIAL, agreed: "yes" }) {
  const path = link.slice(site.url.length);
  const text = new URLSearchParams({ ...body }).toString();
  expect((await site.visitor().post(path, text, FORM)).status).toBe(200);
}

test("a new testimonial is mailed to the owner at once and complete, with a link to the dashboard", async () => {
  await postTestimonial((await requestLink()).link);
  const email = await server.waitForMessage("Denise Barker wrote you a testimonial · Your Name");
  expect(email.to![0]!.address).toBe(OWNER.email);
  for (const text of [TESTIMONIAL.words, `${site.url}/admin/dashboard?tab=testimonials`])
    expect(email.text).toContain(text);
});

test("devices are notified of a testimonial and of its withdrawal", async () => {
  await owner.post("/api/push", service.subscription);
  await waitForValue(() => service.received.length, 1);
  const { link } = await requestLink();
  await postTestimonial(link);
  await waitForValue(() => service.received.length, 2);
  expect(service.received[1]!.notification).toEqual({
    title: "Denise Barker wrote you a testimonial",
    body: TESTIMONIAL.words,
    link: "/admin/dashboard?tab=testimonials",
    tag: expect.any(String),
  });
  await postTestimonial(link, { do: "take-back" });
  await waitForValue(() => service.received.length, 3);
  expect(service.received[2]!.notification.title).toBe("Denise Barker withdrew their testimonial");
  await waitForValue(
    () => server.received.map(({ subject }) => subject),
    [
      "Denise Barker wrote you a testimonial · Your Name",
      "Denise Barker withdrew their testimonial · Your Name",
    ],
  );
});

test("a testimonial is in the daily message of owners who chose that, and isn't mailed to owners who chose no mail", async () => {
  await owner.post("/api/mail", { notify: "off" });
  await postTestimonial((await requestLink()).link);
  await owner.post("/api/mail", { notify: "daily" });
  await context.mail.queueDueMessages();
  await postTestimonial((await requestLink()).link, {
    ...TESTIMONIAL,
    name: "Marcus Bell",
    agreed: "yes",
  });
  await context.mail.queueDueMessages();
  expect(server.received).toEqual([]);
  site.advance(DAY_MS);
  await context.mail.queueDueMessages();
  const { text } = await server.waitForMessage("1 new testimonial · Your Name");
  expect(text).toContain("Marcus Bell wrote you a testimonial");
  expect(text).not.toContain("Denise");
  owner = await site.logInAsOwner();
});

test("a person asked by mail gets the link in the site's language, with the owner as Reply-To", async () => {
  await owner.post("/api/site", { language: "de" });
  const { id, link, canMail } = await requestLink({ who: "Aoife", email: "aoife@example.com" });
  expect(canMail).toBe(true);
  const { status } = await owner.post(`/api/testimonial-requests/${id}/mail`);
  expect(status).toBe(202);
  const email = await server.waitForMessage("Ihr Name bittet Sie um ein paar Worte");
  expect(email).toMatchObject({
    to: [{ address: "aoife@example.com" }],
    replyTo: [{ address: OWNER.email }],
  });
  expect(email.text).toContain(link);
  expect(email.text).not.toContain("Aoife");
  await owner.post("/api/site", { language: "en" });
});

test("a request can't be mailed without an email address, by an editor, or after its link was used", async () => {
  const { id, link } = await requestLink();
  const refused = await owner.post(`/api/testimonial-requests/${id}/mail`);
  expect([refused.status, refused.body.error]).toEqual([409, "Enter their email address first."]);
  const editor = await site.logInAs("editor");
  expect((await editor.get(`/api/testimonial-requests/${id}/link`)).body.canMail).toBe(false);
  await postTestimonial(link);
  expect((await owner.get(`/api/testimonial-requests/${id}/link`)).status).toBe(404);
  expect((await owner.post(`/api/testimonial-requests/${id}/mail`)).status).toBe(404);
});
