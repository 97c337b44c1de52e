/**
 * The providers' HTTP calls, made to a server on this machine that checks each against the provider's documentation:
 * its address and its content.
 */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { MailAccount } from "../../../../src/schema/people/mail.ts";
import { DeliveryError } from "../../../../src/server/mail/transports/deliveryError.ts";
import { toSesSmtpAccount, createMailer } from "../../../../src/server/mail/transports/mailer.ts";
import { AUTO_GENERATED_HEADERS } from "../../../../src/server/mail/transports/headers.ts";
import type { OutgoingMessage } from "../../../../src/server/shared/message.ts";

interface ReceivedRequest {
  readonly host: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

const receivedRequests: ReceivedRequest[] = [];
let respond: () => Response = () => Response.json({ id: "1" });
let server: Bun.Server<undefined>;
const realFetch = globalThis.fetch;

beforeAll(() => {
  server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const host = request.headers.get("x-meant-for")!;
      const body = await request.text();
      receivedRequests.push({ host, path: pathname, headers: request.headers, body });
      return respond();
    },
  });
  // Only the address differs from the real call.
  const redirect = async (input: string | URL | Request, init?: RequestInit) => {
    const url = new URL(input as string);
    const headers = { ...(init?.headers as Record<string, string>), "x-meant-for": url.origin };
    return realFetch(`http://127.0.0.1:${server.port}${url.pathname}${url.search}`, {
      ...init,
      headers,
    });
  };
  globalThis.fetch = Object.assign(redirect, realFetch);
});
afterAll(async () => {
  globalThis.fetch = realFetch;
  await server.stop(true);
});
afterEach(() => {
  receivedRequests.splice(0);
  respond = () => Response.json({ id: "1" });
});

const MESSAGE: OutgoingMessage = {
  messageId: "<1@example.com>",
  to: "ann@example.com",
  replyTo: "bob@example.com",
  subject: "Grüße\r\nBcc: eve@example.com",
  text: "Plain: żółw",
  html: "<p>Rich: żółw</p>",
  headers: { ...AUTO_GENERATED_HEADERS, "List-Unsubscribe": "<https://vera.example/u>" },
};
const FROM = { name: 'Vera "V" Lane', address: "hello@example.com" };

async function sendMessage(
  account: Exclude<MailAccount, { kind: "smtp" }>,
  secret = "the key",
  message = MESSAGE,
): Promise<ReceivedRequest> {
  await createMailer({ account, secret }, FROM).send(message);
  return receivedRequests.at(-1)!;
}

const SENDER = '"Vera \\"V\\" Lane" <hello@example.com>';
const SUBJECT = "Grüße Bcc: eve@example.com";

test("a provider's redirect is not followed, since no other server may get the key", async () => {
  respond = () => Response.redirect(`http://127.0.0.1:${server.port}/elsewhere`, 307);
  const outcome = await sendMessage({ kind: "resend" }).catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(DeliveryError);
  expect(receivedRequests.map(({ path }) => path)).toEqual(["/emails"]);
});

test("Resend gets a message in its own format, with a Bearer key and an idempotency key", async () => {
  const { host, path, headers, body } = await sendMessage({ kind: "resend" });
  expect([host, path]).toEqual(["https://api.resend.com", "/emails"]);
  expect(headers.get("authorization")).toBe("Bearer the key");
  expect(headers.get("idempotency-key")).toBe(MESSAGE.messageId);
  expect(headers.get("content-type")).toBe("application/json");
  expect(JSON.parse(body)).toEqual({
    from: SENDER,
    to: ["ann@example.com"],
    reply_to: "bob@example.com",
    subject: SUBJECT,
    text: MESSAGE.text,
    html: MESSAGE.html,
    headers: { ...MESSAGE.headers, "Message-ID": "<1@example.com>" },
  });
});

test("Postmark gets a message with its token, and newsletters in its broadcast stream", async () => {
  const { host, path, headers, body } = await sendMessage({ kind: "postmark" });
  expect([host, path]).toEqual(["https://api.postmarkapp.com", "/email"]);
  expect(headers.get("x-postmark-server-token")).toBe("the key");
  const sent = JSON.parse(body);
  expect(sent).toMatchObject({
    From: SENDER,
    To: "ann@example.com",
    ReplyTo: "bob@example.com",
    Subject: SUBJECT,
    TextBody: MESSAGE.text,
    HtmlBody: MESSAGE.html,
    MessageStream: "broadcast",
  });
  expect(sent.Headers).toContainEqual({ Name: "Auto-Submitted", Value: "auto-generated" });
  const single = await sendMessage({ kind: "postmark" }, "the key", {
    ...MESSAGE,
    headers: AUTO_GENERATED_HEADERS,
  });
  expect(JSON.parse(single.body).MessageStream).toBe("outbound");
});

test.each([
  [false, "https://api.mailgun.net"],
  [true, "https://api.eu.mailgun.net"],
])("Mailgun gets form data at the server of its region (EU: %p)", async (eu, region) => {
  const account = { kind: "mailgun", domain: "mg.example.com", eu } as const;
  const { host, path, headers, body } = await sendMessage(account);
  expect([host, path]).toEqual([region, "/v3/mg.example.com/messages"]);
  expect(atob(headers.get("authorization")!.replace("Basic ", ""))).toBe("api:the key");
  const { text, html } = MESSAGE;
  const header = ([name, value]: [string, string]) => [`h:${name}`, value];
  const form = await new Response(body, {
    headers: { "content-type": headers.get("content-type")! },
  }).formData();
  expect(Object.fromEntries(form)).toEqual({
    from: SENDER,
    to: "ann@example.com",
    subject: SUBJECT,
    text,
    html,
    "h:Reply-To": "bob@example.com",
    ...Object.fromEntries(Object.entries(MESSAGE.headers).map(header)),
    "h:Message-ID": "<1@example.com>",
  });
});

test("each provider gets a calendar file in its own format", async () => {
  const calendar = "BEGIN:VCALENDAR\r\nSUMMARY:Żółw\r\nEND:VCALENDAR\r\n";
  const withFile = { ...MESSAGE, calendar };
  const base64 = Buffer.from(calendar).toString("base64");
  const type = "text/calendar; charset=utf-8; method=PUBLISH";
  const resend = JSON.parse((await sendMessage({ kind: "resend" }, "key", withFile)).body);
  expect(resend.attachments).toEqual([
    { filename: "call.ics", content: base64, content_type: type },
  ]);
  const postmark = JSON.parse((await sendMessage({ kind: "postmark" }, "key", withFile)).body);
  expect(postmark.Attachments).toEqual([{ Name: "call.ics", Content: base64, ContentType: type }]);
  const account = { kind: "mailgun", domain: "mg.example.com", eu: true } as const;
  const mailgun = await sendMessage(account, "key", withFile);
  const headers = { "content-type": mailgun.headers.get("content-type")! };
  const form = await new Response(mailgun.body, { headers }).formData();
  const file = form.get("attachment") as File;
  expect([file.name, await file.text()]).toEqual(["call.ics", calendar]);
  const fields = ["to", "h:Reply-To", "subject"].map((name) => form.get(name));
  expect(fields).toEqual(["ann@example.com", "bob@example.com", SUBJECT]);
  expect(mailgun.headers.get("authorization")).toBe(`Basic ${btoa("api:key")}`);
});

test("an Amazon SES account uses the SMTP server of its region over TLS", () => {
  expect(toSesSmtpAccount({ kind: "ses", region: "eu-west-1", keyId: "AKIDEXAMPLE" })).toEqual({
    kind: "smtp",
    host: "email-smtp.eu-west-1.amazonaws.com",
    port: 465,
    security: "tls",
    username: "AKIDEXAMPLE",
  });
});

test.each([
  ...[401, 402, 403, 404].map((status) => [status, "login", false, true] as const),
  ...[408, 420, 425, 429, 500, 503].map((status) => [status, "connection", false, true] as const),
  ...[400, 422].map((status) => [status, "recipient", true, false] as const),
])(
  "a provider's response %i counts as a problem with the %s (permanent: %p, for all messages: %p)",
  async (status, step, isPermanent, concernsAll) => {
    respond = () => new Response('{"message":"no"}', { status });
    const fault: unknown = await sendMessage({ kind: "resend" }).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(DeliveryError);
    expect(fault).toMatchObject({ step, isPermanent, response: '{"message":"no"}' });
    expect((fault as DeliveryError).affectsAllMessages).toBe(concernsAll);
  },
);

test.each([
  [422, '{"ErrorCode":406,"Message":"Found inactive addresses: ann@example.com."}', "recipient"],
  [422, `{"ErrorCode":300,"Message":"Invalid 'To' address: 'ann@'."}`, "recipient"],
  [
    422,
    '{"ErrorCode":406,"Message":"Found inactive addresses: invalid-from@a.example."}',
    "recipient",
  ],
  [422, `{"ErrorCode":300,"Message":"Invalid 'From' address: 'news'."}`, "login"],
  [
    422,
    '{"ErrorCode": 400, "Message": "This is not a Sender Signature on your account."}',
    "login",
  ],
  [422, '{"ErrorCode":405,"Message":"You are not allowed to send: out of credits."}', "login"],
  [422, '{"ErrorCode":412,"Message":"Your account is pending approval."}', "login"],
  [422, '{"ErrorCode":701,"Message":"This server is inactive."}', "login"],
  [422, '{"name":"validation_error","message":"Invalid `from` field."}', "login"],
  [422, '{"name":"validation_error","message":"Invalid `to` field."}', "recipient"],
  [400, '{"message":"from parameter is not a valid address"}', "login"],
  [
    400,
    `{"message":"'from' parameter is not a valid address. please check documentation"}`,
    "login",
  ],
  [
    400,
    `{"message":"'to' parameter is not a valid address. please check documentation"}`,
    "recipient",
  ],
  [409, '{"name":"concurrent_idempotent_requests"}', "connection"],
  [409, '{"name":"invalid_idempotent_request"}', "recipient"],
])("a provider's response %i with %s is a problem of the %s", async (status, body, step) => {
  respond = () => new Response(body, { status });
  const fault: unknown = await sendMessage({ kind: "postmark" }).catch((error: unknown) => error);
  expect(fault).toMatchObject({ step, isPermanent: step === "recipient" });
});
