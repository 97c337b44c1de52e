/**
 * A webhook gets every enquiry once, can verify its sender, and can't be used to reach the internal network
 * (specification, section 4.18).
 */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { entities } from "../../../src/schema/index.ts";
import { DeliveryError } from "../../../src/server/mail/transports/deliveryError.ts";
import {
  postExternally,
  findExternalUrlProblem,
} from "../../../src/server/notifications/externalRequest.ts";
import { addForm, ANSWERS, createEnquiry } from "../../support/enquirySite.ts";
import { readStoredTexts } from "../../support/storedTexts.ts";
import { waitForValue, ownerOf, setUpSiteForAll, startSite } from "../../support/testSite.ts";

interface ReceivedCall {
  readonly headers: Record<string, string>;
  readonly body: string;
}
let secret: string;
const calls: ReceivedCall[] = [];
let respond: () => Response | Promise<Response> = () => new Response("ok");

const site = setUpSiteForAll(() =>
  startSite({
    env: { RATE_LIMIT: "off", PRIVATE_CALLS: "on" },
  }),
);
const owner = ownerOf(site);
const receiver = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    calls.push({
      headers: Object.fromEntries(request.headers.entries()),
      body: await request.text(),
    });
    return respond();
  },
});
const url = `http://127.0.0.1:${receiver.port}/hooks/limelight?key=1`;
beforeAll(async () => {
  await addForm(site.store);
  ({ secret } = (await owner.post("/api/mail/webhook", { url })).body);
});
afterAll(() => receiver.stop(true));
afterEach(async () => {
  calls.length = 0;
  respond = () => new Response("ok");
  await site.context.mail.outbox.sendDue();
});

async function sendEnquiry(answers: object = {}): Promise<string> {
  const submitted = { ...ANSWERS, ...answers };
  const { status, body } = await site
    .visitor()
    .post("/api/form-submissions", createEnquiry(submitted));
  expect(status).toBe(201);
  return body.id;
}
const findMessage = async (id: string) =>
  structuredClone(
    (await site.context.mail.outbox.listPage({ offset: 0, limit: 50 })).items.find(
      ({ about }) => about === id,
    ),
  );
const readState = async (id: string) => (await findMessage(id))?.state;

test("a new enquiry is posted to the webhook once and complete, signed as Standard Webhooks requires", async () => {
  const id = await sendEnquiry({ goals: ["Rest", "Play"] });
  await waitForValue(() => readState(id), "sent");
  expect(calls.length).toBe(1);
  const [{ headers, body }] = calls as [ReceivedCall];
  expect(new Webhook(secret).verify(body, headers)).toMatchObject({
    type: "enquiry.created",
    data: {
      id,
      form: { id: "form", name: "Inner name" },
      questions: expect.arrayContaining([
        { label: "Full name", type: "text", answer: "Ann Example" },
        { label: "Goals", type: "checkbox", answer: ["Rest", "Play"] },
      ]),
    },
  });
  expect(headers["webhook-id"]).not.toContain(".");
  expect(() => new Webhook(secret).verify(body.replace("Ann", "Bob"), headers)).toThrow();
  await site.context.mail.queueDueMessages();
  expect(calls.length).toBe(1);
  const state = (await owner.get("/api/mail")).body;
  expect(state.messages[0]).toMatchObject({
    kind: "webhook",
    to: `127.0.0.1:${receiver.port}`,
    subject: "New submission",
    state: "sent",
  });
});

test("a webhook's receiver that returns 503 is called again with the same id, but not after 410", async () => {
  respond = () => new Response("not now", { status: 503 });
  const id = await sendEnquiry();
  await waitForValue(async () => (await findMessage(id))?.attempts, 1);
  expect(await findMessage(id)).toMatchObject({
    state: "waiting",
    problem: "The webhook responded with 503.",
    said: "not now",
  });
  respond = () => new Response(null, { status: 204 });
  site.advance(2 * 60_000);
  site.context.mail.outbox.sendDue();
  await waitForValue(() => readState(id), "sent");
  expect(new Set(calls.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  respond = () => new Response("gone", { status: 410 });
  const last = await sendEnquiry();
  await waitForValue(() => readState(last), "failed");
});

test("a redirect of the webhook's receiver is not followed", async () => {
  respond = () => Response.redirect(`http://127.0.0.1:${receiver.port}/inside`, 307);
  const id = await sendEnquiry();
  await waitForValue(
    async () => (await findMessage(id))?.problem,
    "The webhook responded with 307. Redirects aren't followed: enter the final URL.",
  );
  expect(calls.length).toBe(1);
  await owner.post("/api/people/erase", { email: ANSWERS.email });
});

test("the webhook's queue contains nothing about an erased person", async () => {
  respond = () => new Response("", { status: 500 });
  const id = await sendEnquiry({ email: "bob@example.com" });
  await waitForValue(async () => (await findMessage(id))?.attempts, 1);
  const { messageId } = (await findMessage(id))!;
  await owner.post("/api/people/erase", { email: "bob@example.com" });
  expect(await findMessage(id)).toBeUndefined();
  const outbox = (await readStoredTexts(site.config)).filter(({ path }) => path.includes("outbox"));
  expect(outbox.length).toBeGreaterThan(0);
  expect(outbox.filter(({ text }) => text.includes(messageId) || text.includes("bob@"))).toEqual(
    [],
  );
});

test("an enquiry deleted before it was posted isn't posted to the webhook, and is listed with that reason", async () => {
  respond = () => new Response("", { status: 500 });
  const id = await sendEnquiry();
  await waitForValue(async () => (await findMessage(id))?.attempts, 1);
  await site.store.of(entities.formSubmissions).delete(id);
  site.advance(2 * 60_000);
  site.context.mail.outbox.sendDue();
  await waitForValue(() => readState(id), "failed");
  expect(await findMessage(id)).toMatchObject({
    problem: "The submission was deleted before this message was sent.",
  });
});

test("the webhook's secret is shown only once, and another host gets a new secret", async () => {
  const state = await owner.get("/api/mail");
  expect(state.body.webhook).toMatchObject({ url });
  expect(state.text).not.toContain(secret.slice("whsec_".length));
  const same = await owner.post("/api/mail/webhook", { url: `${url}&more=2` });
  expect(same.body.secret).toBeNull();
  const other = await owner.post("/api/mail/webhook", {
    url: url.replace("127.0.0.1", "localhost"),
  });
  expect(other.body.secret).toStartWith("whsec_");
  const renewed = (await owner.post("/api/mail/webhook/secret")).body.secret;
  expect((await owner.post("/api/mail/webhook/test")).body).toMatchObject({ ok: true });
  const [{ headers, body }] = calls as [ReceivedCall];
  expect(new Webhook(renewed).verify(body, headers)).toMatchObject({ type: "test" });
  expect(() => new Webhook(other.body.secret).verify(body, headers)).toThrow();
  respond = () => new Response("no such hook", { status: 404 });
  expect((await owner.post("/api/mail/webhook/test")).body).toEqual({
    ok: false,
    problem: "The webhook responded with 404.",
    said: "no such hook",
  });
});

test("without a webhook no enquiry is posted, and a test of the webhook is refused", async () => {
  const fresh = await site.logInAsOwner();
  expect((await fresh.delete("/api/mail/webhook")).body).toEqual({ webhook: null, secret: null });
  expect((await fresh.post("/api/mail/webhook/test")).status).toBe(409);
  const id = await sendEnquiry();
  await site.context.mail.queueDueMessages();
  expect(await findMessage(id)).toBeUndefined();
});

const INTERNAL_HOSTS =
  "127.0.0.1 localhost 10.1.2.3 2130706433 0x7f.1 169.254.169.254 192.0.0.192 100.100.100.200 " +
  "[::1] [::ffff:10.0.0.1] [64:ff9b::a00:1] [2002:a00:1::] [fd00::1]";

const EMPTY_REQUEST = { headers: {}, body: "", stopSignal: new AbortController().signal };

test.each(INTERNAL_HOSTS.split(" "))(
  "the internal webhook URL %s is refused when it is entered, and again before it is called",
  async (host) => {
    const address = `https://${host}/latest/meta-data`;
    const words =
      "This URL is inside the site's own network, which is blocked. PRIVATE_CALLS=on allows it.";
    expect(await findExternalUrlProblem(address, false)).toBe(words);
    const url = new URL(address);
    const call = postExternally({ ...EMPTY_REQUEST, url, canUsePrivateNetwork: false });
    const fault = await call.catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(DeliveryError);
    expect(fault).toMatchObject({ message: words, isPermanent: true });
  },
);

test("an external webhook URL with https and without a password is accepted", async () => {
  const words = "Enter a URL that starts with https://, without a username or password.";
  const addresses = ["", "hello", "http://203.0.114.1/", "https://a:b@8.8.8.8/", "ftp://8.8.8.8/"];
  for (const wrong of addresses)
    expect([wrong, await findExternalUrlProblem(wrong, false)]).toEqual([wrong, words]);
  expect(await findExternalUrlProblem("https://8.8.8.8/hook", false)).toBeUndefined();
  expect(await findExternalUrlProblem("https://[2606:4700::1111]/hook", false)).toBeUndefined();
});

test("an external webhook URL with http is refused, even if it was stored while PRIVATE_CALLS was on", async () => {
  const url = new URL("http://203.0.114.1/hook");
  const call = postExternally({ ...EMPTY_REQUEST, url, canUsePrivateNetwork: false });
  expect(await call.catch((error: unknown) => error)).toMatchObject({
    step: "connection",
    isPermanent: true,
    message:
      "This URL starts with http://, which only PRIVATE_CALLS=on allows. Use one that starts with https://.",
  });
});

test("a webhook's receiver with an untrusted TLS certificate is refused with a message", async () => {
  const read = (name: string) => Bun.file(`tests/fixtures/mail/server.${name}`);
  let isReached = false;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: { cert: read("crt"), key: read("key") },
    fetch() {
      isReached = true;
      return new Response("ok");
    },
  });
  const address = new URL(`https://localhost:${server.port}/`);
  const call = postExternally({ ...EMPTY_REQUEST, url: address, canUsePrivateNetwork: true });
  expect(await call.catch((error: unknown) => error)).toMatchObject({
    step: "certificate",
    message:
      "The certificate at this URL isn't trusted, or is for another name. Replace it on that server.",
  });
  expect(isReached).toBe(false);
  await server.stop(true);
});

test("each of many enquiries in an hour is posted to the webhook", async () => {
  const crowded = await startSite({ env: { RATE_LIMIT: "off", PRIVATE_CALLS: "on" } });
  await addForm(crowded.store);
  await (await crowded.owner()).post("/api/mail/webhook", { url });
  const names = Array.from({ length: 33 }, (_, at) => `Ann ${"abcdefghijk"[at % 11]} ${at}`);
  const sent = await Promise.all(
    names.map((name) =>
      crowded.visitor().post("/api/form-submissions", createEnquiry({ ...ANSWERS, name })),
    ),
  );
  expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([201]));
  await crowded.context.mail.queueDueMessages();
  await waitForValue(() => calls.length, 33);
  await crowded.stop();
});
