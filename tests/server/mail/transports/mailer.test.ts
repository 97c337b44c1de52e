/** Handing messages to a real mail server, and its refusals. */
import { afterEach, expect, test } from "bun:test";
import {
  DeliveryError,
  toSmtpDeliveryError,
} from "../../../../src/server/mail/transports/deliveryError.ts";
import { createMailer } from "../../../../src/server/mail/transports/mailer.ts";
import { AUTO_GENERATED_HEADERS } from "../../../../src/server/mail/transports/headers.ts";
import type { OutgoingMessage } from "../../../../src/server/shared/message.ts";
import {
  CERTIFICATE,
  MAIL_LOGIN,
  startUnreachableListener,
  type MailServer,
  startSlowProxy,
  startMailServer,
} from "../../../support/mailServer.ts";

const servers: MailServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function startServer(...options: Parameters<typeof startMailServer>): Promise<MailServer> {
  const server = await startMailServer(...options);
  servers.push(server);
  return server;
}

interface Connection {
  readonly host?: string;
  readonly security?: "tls" | "starttls" | "none";
  readonly password?: string;
  readonly username?: string;
  readonly certificates?: string;
  /** The timeout for each response, in milliseconds. */
  readonly silence?: number;
  /** The timeout for the connection. */
  readonly reach?: number;
  /** The timeout for one message. */
  readonly whole?: number;
}

/** Plain text to this machine. */
const UNENCRYPTED: Connection = { security: "none", username: "", host: "127.0.0.1" };

function createTestMailer(port: number, connection: Connection = {}) {
  const { host = "localhost", security = "starttls", certificates = CERTIFICATE } = connection;
  const { username = MAIL_LOGIN.user, password = MAIL_LOGIN.pass } = connection;
  const account = { kind: "smtp", host, port, security, username } as const;
  const from = { name: "Vera Lane · Zoë", address: "hello@example.com" };
  const { silence = 10_000, reach = 10_000, whole = 4 * silence } = connection;
  const timeouts = { connect: reach, greeting: silence, response: silence, message: whole };
  return createMailer({ account, secret: password }, from, { certificates, timeouts });
}

const message: OutgoingMessage = {
  messageId: "<1@example.com>",
  to: "ann@example.com",
  replyTo: "bob@example.com",
  subject: "Grüße für żółw 🎭",
  text: "Plain words: żółw",
  html: "<p>Rich words: <b>żółw</b></p>",
  headers: AUTO_GENERATED_HEADERS,
};

/** Returns the error of a message that isn't sent. */
async function catchError(send: Promise<void>): Promise<DeliveryError> {
  const error: unknown = await send.catch((fault: unknown) => fault);
  expect(error).toBeInstanceOf(DeliveryError);
  return error as DeliveryError;
}

test.each([
  ["TLS", { isSecure: true }, { security: "tls" }],
  ["STARTTLS", {}, { security: "starttls" }],
  ["an unencrypted connection to this machine", { hasLogin: false, isPlain: true }, UNENCRYPTED],
] as const)("over %s a message arrives complete", async (_, server, connection) => {
  const { port, received } = await startServer(server);
  await createTestMailer(port, connection).send(message);
  expect(received.length).toBe(1);
  const [email] = received;
  expect(email).toMatchObject({
    subject: message.subject,
    from: { name: "Vera Lane · Zoë", address: "hello@example.com" },
    to: [{ address: "ann@example.com" }],
    replyTo: [{ address: "bob@example.com" }],
    messageId: "<1@example.com>",
  });
  expect(email!.text?.trim()).toBe(message.text);
  expect(email!.html?.trim()).toBe(message.html);
  const header = (name: string) => email!.headers.find(({ key }) => key === name)?.value;
  expect(header("auto-submitted")).toBe("auto-generated");
  expect(header("x-auto-response-suppress")).toBe("All");
});

test("nothing is sent with a wrong password, an untrusted certificate or an unencrypted port", async () => {
  const good = await startServer();
  const wrong = await catchError(createTestMailer(good.port, { password: "no" }).send(message));
  expect([wrong.step, wrong.isPermanent]).toEqual(["login", false]);
  expect(wrong.message).toContain("rejected the username or the password");
  expect(wrong.response).toContain("5.7.8");
  const stranger = await catchError(
    createTestMailer(good.port, { certificates: "" }).send(message),
  );
  expect(stranger.step).toBe("certificate");
  const plain = await startServer({ isPlain: true });
  const bare = await catchError(createTestMailer(plain.port).send(message));
  expect(bare.step).toBe("certificate");
  expect(bare.message).toContain("no encryption");
  expect([...good.received, ...plain.received]).toEqual([]);
});

test("the setting TLS for a STARTTLS port is reported with advice, and a closed port as a failed connection", async () => {
  const { port, stop } = await startServer();
  const mixed = await catchError(createTestMailer(port, { security: "tls" }).send(message));
  const words = "This port uses STARTTLS, not TLS. Choose STARTTLS, or port 465.";
  expect([mixed.step, mixed.message]).toEqual(["connection", words]);
  await stop();
  servers.length = 0;
  const nobody = await catchError(createTestMailer(port).send(message));
  expect([nobody.step, nobody.isPermanent]).toEqual(["connection", false]);
});

test.each([
  [
    { responseCode: 530, response: "530 5.7.0 Must issue a STARTTLS command first" },
    "login",
    /login/,
  ],
  [{ responseCode: 530, response: "530 5.7.0 Authentication required" }, "login", /login/],
  [
    { code: "EAUTH", responseCode: 454, response: "454 4.7.0 Temporary failure" },
    "login",
    /right now/,
  ],
  [{ code: "EAUTH", responseCode: 535, response: "535 5.7.8 Bad" }, "login", /password/],
  [{ command: "CONN", responseCode: 521, response: "521 No mail here" }, "connection", /right now/],
  [{ command: "CONN", responseCode: 554, response: "554 No SMTP" }, "connection", /right now/],
] as const)(
  "the refusal %j counts for all messages, not only for one message or recipient",
  (refusal, step, words) => {
    const error = toSmtpDeliveryError({
      command: "MAIL FROM",
      message: refusal.response,
      ...refusal,
    });
    expect([error.step, error.isPermanent, error.affectsAllMessages]).toEqual([step, false, true]);
    expect(error.message).toMatch(words);
  },
);

test("permanent and temporary refusals of a recipient are distinguished", async () => {
  const { port, refuseRecipients: refuse } = await startServer();
  refuse(550);
  const permanent = await catchError(createTestMailer(port).send(message));
  expect([permanent.step, permanent.isPermanent]).toEqual(["recipient", true]);
  expect(permanent.response).toContain("no such user");
  refuse(451);
  const later = await catchError(createTestMailer(port).send(message));
  expect([later.step, later.isPermanent]).toEqual(["recipient", false]);
});

test.each([
  ["451 not this one", "recipient", false, "The mail server rejected the message."],
  ["554 not this one", "recipient", true, "The mail server rejected the message."],
  ["452 4.3.1 a full disk", "connection", false, "The mail server isn't accepting"],
  ["421 closing", "connection", false, "The mail server isn't accepting"],
  ["cut", "connection", false, "The mail server isn't responding."],
  ["silent", "connection", false, "The mail server isn't responding."],
] as const)(
  "a failure of the mail server (%j) is reported with its kind, and the next message is sent once",
  async (response, step, isPermanent, words) => {
    const { port, simulateFailure: spoil, received } = await startServer();
    // The timeout is short only if the test waits for it, since the next message has to be sent within it.
    const { send } = createTestMailer(port, { silence: response === "silent" ? 2000 : 10_000 });
    spoil(response);
    const fault = await catchError(send(message));
    expect([fault.step, fault.isPermanent]).toEqual([step, isPermanent]);
    expect(fault.message).toStartWith(words);
    expect(received).toEqual([]);
    spoil(undefined);
    await send({ ...message, messageId: "<2@example.com>" });
    expect(received.map(({ messageId }) => messageId)).toEqual(["<2@example.com>"]);
  },
);

test.each(["421 4.7.0 Too many messages on this line", "cut"] as const)(
  "after a server closes a kept connection (%s), the next message is sent once",
  async (oneEach) => {
    const { port, received } = await startServer({
      hasLogin: false,
      isPlain: true,
      oneMessagePerConnection: oneEach,
    });
    const { send } = createTestMailer(port, UNENCRYPTED);
    const ids = ["<1@example.com>", "<2@example.com>", "<3@example.com>"];
    for (const messageId of ids) await send({ ...message, messageId });
    expect(received.map(({ messageId }) => messageId)).toEqual(ids);
  },
);

test("a slow mail server gets each message once, even if all take longer than the time limit for one response", async () => {
  const { port, received } = await startServer({ hasLogin: false, isPlain: true });
  const slow = await startSlowProxy(port, { delayMs: 150 });
  const { send } = createTestMailer(slow.port, { ...UNENCRYPTED, silence: 1800 });
  const began = performance.now();
  const ids = Array.from({ length: 6 }, (_, at) => `<${at}@example.com>`);
  await Promise.all(ids.map((messageId) => send({ ...message, messageId })));
  expect(performance.now() - began).toBeGreaterThan(1800);
  expect(received.map(({ messageId }) => messageId)).toEqual(ids);
  slow.stop();
});

test("the connection to a mail server whose response never ends is closed after the time limit", async () => {
  const { port, received } = await startServer({ hasLogin: false, isPlain: true });
  const slow = await startSlowProxy(port, { delayMs: 20, isTrickling: true });
  const began = performance.now();
  const fault = await catchError(
    createTestMailer(slow.port, { ...UNENCRYPTED, whole: 600 }).send(message),
  );
  expect([fault.step, fault.isPermanent]).toEqual(["connection", false]);
  // The server was never silent for as long as the timeout.
  expect(performance.now() - began).toBeGreaterThan(590);
  expect(received).toEqual([]);
  slow.stop();
});

test("the connection to a mail server that stays silent is closed after the time limit", async () => {
  const silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const fault = await catchError(
    createTestMailer(silent.port, { ...UNENCRYPTED, silence: 200 }).send(message),
  );
  silent.stop(true);
  expect([fault.step, fault.isPermanent]).toEqual(["connection", false]);
});

test("an unreachable mail server is reported before the time limit for a greeting has passed", async () => {
  const full = await startUnreachableListener();
  const began = performance.now();
  const connection = { ...UNENCRYPTED, reach: 100, silence: 20_000 };
  const fault = await catchError(createTestMailer(full.port, connection).send(message));
  expect([fault.step, fault.isPermanent]).toEqual(["connection", false]);
  expect(fault.message).toContain("isn't responding");
  expect(performance.now() - began).toBeLessThan(20_000);
  full.stop();
});
