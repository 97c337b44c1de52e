/** What providers report is believed only where it is signed as they sign (specification, section 4.20). */
import { describe, expect, test } from "bun:test";
import { createHmac, createSign, generateKeyPairSync } from "node:crypto";
import { entities } from "../../../src/schema/index.ts";
import { bounceReportUrl } from "../../../src/server/newsletter/bounceReportRoute.ts";
import { type ReportCall, REPORT_PARSERS } from "../../../src/server/newsletter/bounceReports.ts";
import { siteForAll, startSite } from "../../support/testSite.ts";
import { subscriber } from "../../support/subscriber.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const SECONDS = String(NOW / 1000);

const callOf = (body: object, more: Partial<ReportCall> = {}): ReportCall => ({
  headers: new Headers(),
  body: JSON.stringify(body),
  secret: "",
  now: NOW,
  read: () => Promise.reject(new Error("nothing is read")),
  ...more,
});

describe("Resend, signed as Svix does", () => {
  const secret = `whsec_${Buffer.from("a secret of resend").toString("base64")}`;
  const body = {
    type: "email.bounced",
    data: { to: ["Ann@example.com"], bounce: { type: "Permanent" } },
  };
  const signed = (sent: object, at = SECONDS) => {
    const call = callOf(sent, { secret });
    const signature = createHmac("sha256", "a secret of resend")
      .update(`msg_1.${at}.${call.body}`)
      .digest("base64");
    const headers = {
      "svix-id": "msg_1",
      "svix-timestamp": at,
      "svix-signature": `v1,other v1,${signature}`,
    };
    return { ...call, headers: new Headers(headers) };
  };
  test("a bounce and a complaint are accepted, a delivery changes nothing", async () => {
    expect(await REPORT_PARSERS["resend"]!(signed(body))).toEqual([
      { email: "Ann@example.com", reason: "bounced" },
    ]);
    const complaint = { type: "email.complained", data: { to: ["ann@example.com"] } };
    expect(await REPORT_PARSERS["resend"]!(signed(complaint))).toEqual([
      { email: "ann@example.com", reason: "complained" },
    ]);
    const delivered = { type: "email.delivered", data: { to: ["a@example.com"] } };
    const soft = { ...body, data: { ...body.data, bounce: { type: "Transient" } } };
    for (const each of [delivered, soft])
      expect(await REPORT_PARSERS["resend"]!(signed(each))).toEqual([]);
  });
  test("a changed, old or unsigned report is refused", async () => {
    const good = signed(body);
    const wrong: ReportCall[] = [
      { ...good, body: good.body.replace("Ann", "Ben") },
      { ...good, secret: "" },
      { ...good, secret: "whsec_b3RoZXI=" },
      { ...good, headers: new Headers() },
      signed(body, String(NOW / 1000 - 86_400)),
    ];
    for (const call of wrong) expect(await REPORT_PARSERS["resend"]!(call)).toBeUndefined();
  });
});

test("Mailgun, signed by its webhook key: hard bounces and complaints only", async () => {
  const secret = "key-of-webhooks";
  const sent = (
    event: object,
    signature = createHmac("sha256", secret).update(`${SECONDS}token`).digest("hex"),
  ) =>
    callOf(
      { signature: { timestamp: SECONDS, token: "token", signature }, "event-data": event },
      { secret },
    );
  const bounce = {
    event: "failed",
    severity: "permanent",
    reason: "bounce",
    recipient: "ann@example.com",
  };
  const mailgun = REPORT_PARSERS["mailgun"]!;
  expect(await mailgun(sent(bounce))).toEqual([{ email: "ann@example.com", reason: "bounced" }]);
  expect(await mailgun(sent({ ...bounce, severity: "temporary" }))).toEqual([]);
  expect(await mailgun(sent({ event: "complained", recipient: "ann@example.com" }))).toEqual([
    { email: "ann@example.com", reason: "complained" },
  ]);
  expect(await mailgun(sent(bounce, "0".repeat(64)))).toBeUndefined();
  expect(await mailgun({ ...sent(bounce), secret: "" })).toBeUndefined();
});

test("Amazon, signed by a certificate on its own host, whose confirmation is followed", async () => {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const certificate = publicKey.export({ type: "spki", format: "pem" }) as string;
  const signed = (
    message: Record<string, string>,
    names: string[],
    url = "https://sns.eu-west-1.amazonaws.com/cert.pem",
  ) => {
    const text = names.map((name) => `${name}\n${message[name]}\n`).join("");
    const Signature = createSign("RSA-SHA256").update(text).sign(privateKey, "base64");
    return { ...message, SignatureVersion: "2", Signature, SigningCertURL: url };
  };
  const read: string[] = [];
  const reader = (url: string) => {
    read.push(url);
    return Promise.resolve(certificate);
  };
  const event = {
    notificationType: "Bounce",
    bounce: { bounceType: "Permanent", bouncedRecipients: [{ emailAddress: "ann@example.com" }] },
  };
  const notification = {
    Type: "Notification",
    MessageId: "1",
    TopicArn: "arn:aws:sns:eu-west-1:1:mail",
    Timestamp: "2026-11-21T12:00:00.000Z",
    Message: JSON.stringify(event),
  };
  const NAMES = ["Message", "MessageId", "Timestamp", "TopicArn", "Type"];
  const ses = REPORT_PARSERS["ses"]!;
  const good = signed(notification, NAMES);
  expect(await ses(callOf(good, { read: reader }))).toEqual([
    { email: "ann@example.com", reason: "bounced" },
  ]);
  const changed = { ...good, Message: notification.Message.replace("ann@", "ben@") };
  expect(await ses(callOf(changed, { read: reader }))).toBeUndefined();
  read.length = 0;
  for (const url of [
    "https://sns.eu-west-1.amazonaws.com.evil.example/cert.pem",
    "http://sns.eu-west-1.amazonaws.com/c.pem",
    "",
  ])
    expect(await ses(callOf(signed(notification, NAMES, url), { read: reader }))).toBeUndefined();
  expect(read).toEqual([]);
  const confirmation = {
    ...notification,
    Type: "SubscriptionConfirmation",
    Token: "t",
    SubscribeURL: "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription",
  };
  const names = ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"];
  expect(await ses(callOf(signed(confirmation, names), { read: reader }))).toEqual([]);
  expect(read).toContain(confirmation.SubscribeURL);
});

describe("the address that a provider is given", () => {
  const MAIL_FROM = "Vera <site@example.com>";
  const env = { RATE_LIMIT: "off", MAIL_URL: "postmark://token", MAIL_FROM };
  const site = siteForAll(() => startSite({ hasAddress: true, env }));
  test("accepts reports only with its key, and marks the named addresses as unreachable", async () => {
    for (const email of ["ann@example.com", "ben@example.com"])
      await site.store.of(entities.emailSubscriptions).insert(subscriber(email));
    const { reports, active } = await site.asOwner("GET", "/api/letters");
    expect([active, reports]).toEqual([
      2,
      expect.stringMatching(
        /^http:\/\/reports:[\w-]{20,}@127\.0\.0\.1:\d+\/api\/letters\/reports$/,
      ),
    ]);
    const { username, password: key, pathname: path } = new URL(reports);
    const authorization = `Basic ${btoa(`${username}:${key}`)}`;
    const post = (body: object | string, headers: Record<string, string> = { authorization }) =>
      site.visitor().post(path, body, headers);
    const bounce = { RecordType: "Bounce", Type: "HardBounce", Email: "Ann@example.com" };
    for (const wrong of ["", "Basic", `Basic ${btoa("reports:other")}`, "Bearer other", key]) {
      const { status, headers } = await post(bounce, { authorization: wrong });
      expect([status, headers.get("www-authenticate")]).toEqual([401, 'Basic realm="reports"']);
    }
    expect((await site.asOwner("GET", "/api/letters")).active).toBe(2);
    expect((await post(bounce)).body).toEqual({ taken: 1 });
    const complaint = { RecordType: "SpamComplaint", Email: "ben@example.com" };
    expect((await post(complaint, { authorization: `Bearer ${key}` })).status).toBe(200);
    expect((await post("no JSON")).status).toBe(400);
    const row = (email: string) => site.store.of(entities.emailSubscriptions).findUnique(email);
    const [ann, ben] = [await row("ann@example.com"), await row("ben@example.com")];
    expect(ann).toMatchObject({ status: "active", unreachable: "bounced" });
    expect(ben).toMatchObject({ status: "unsubscribed", unreachable: "complained" });
    expect((await site.asOwner("GET", "/api/letters")).active).toBe(0);
    // Who reads the log could take anybody off the list.
    const log = site.log.join("\n");
    expect(log).toMatch(/ POST \/api\/letters\/reports 200 /);
    expect(log).not.toContain(key);
    expect(log).not.toContain(btoa(`${username}:${key}`));
  });

  test("needs no key where the provider signs with a secret of the account", async () => {
    const SITE_URL = "https://ada.example";
    const signed = await startSite({ env: { SITE_URL, MAIL_URL: "resend://token", MAIL_FROM } });
    const path = "/api/letters/reports";
    expect(bounceReportUrl(signed)).toBe(`https://ada.example${path}`);
    const { status } = await signed.visitor().post(path, {}, { host: "ada.example" });
    expect(status).toBe(403);
    await signed.stop();
  });
});
