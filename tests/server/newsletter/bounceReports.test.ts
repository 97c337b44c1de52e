/** Providers' reports are accepted only with their signature (specification, section 4.20). */
import { describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { entities } from "../../../src/schema/index.ts";
import { createBounceReportUrl } from "../../../src/server/newsletter/bounceReportRoute.ts";
import {
  type ReportRequest,
  REPORT_PARSERS,
} from "../../../src/server/newsletter/bounceReports.ts";
import { setUpSiteForAll, startSite } from "../../support/testSite.ts";
import { createSubscriber } from "../../support/subscribers.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const SECONDS = String(NOW / 1000);

const createReportRequest = (body: object, more: Partial<ReportRequest> = {}): ReportRequest => ({
  headers: new Headers(),
  body: JSON.stringify(body),
  secret: "",
  now: NOW,
  ...more,
});

describe("reports of Resend, which signs them like Svix", () => {
  const secret = `whsec_${Buffer.from("a secret of resend").toString("base64")}`;
  const body = {
    type: "email.bounced",
    data: { to: ["Ann@example.com"], bounce: { type: "Permanent" } },
  };
  const createSignedRequest = (sent: object, at = SECONDS) => {
    const call = createReportRequest(sent, { secret });
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
  test("are accepted about bounces and complaints, and ignored about deliveries", async () => {
    expect(REPORT_PARSERS["resend"]!(createSignedRequest(body))).toEqual([
      { email: "Ann@example.com", reason: "bounced" },
    ]);
    const complaint = { type: "email.complained", data: { to: ["ann@example.com"] } };
    expect(REPORT_PARSERS["resend"]!(createSignedRequest(complaint))).toEqual([
      { email: "ann@example.com", reason: "complained" },
    ]);
    const delivered = { type: "email.delivered", data: { to: ["a@example.com"] } };
    const unclear = ["Transient", "Undetermined"].map((type) => ({
      ...body,
      data: { ...body.data, bounce: { type } },
    }));
    for (const each of [delivered, ...unclear])
      expect(REPORT_PARSERS["resend"]!(createSignedRequest(each))).toEqual([]);
  });
  test("are refused if they are changed, old or unsigned", async () => {
    const good = createSignedRequest(body);
    const wrong: ReportRequest[] = [
      { ...good, body: good.body.replace("Ann", "Ben") },
      { ...good, secret: "" },
      { ...good, secret: "whsec_b3RoZXI=" },
      { ...good, headers: new Headers() },
      createSignedRequest(body, String(NOW / 1000 - 86_400)),
    ];
    for (const call of wrong) expect(REPORT_PARSERS["resend"]!(call)).toBeUndefined();
  });
});

test("Mailgun's signed reports are accepted only about hard bounces and complaints", async () => {
  const secret = "key-of-webhooks";
  const sent = (
    event: object,
    signature = createHmac("sha256", secret).update(`${SECONDS}token`).digest("hex"),
  ) =>
    createReportRequest(
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
  expect(mailgun(sent(bounce))).toEqual([{ email: "ann@example.com", reason: "bounced" }]);
  expect(mailgun(sent({ ...bounce, severity: "temporary" }))).toEqual([]);
  expect(mailgun(sent({ event: "complained", recipient: "ann@example.com" }))).toEqual([
    { email: "ann@example.com", reason: "complained" },
  ]);
  expect(mailgun(sent(bounce, "0".repeat(64)))).toBeUndefined();
  expect(mailgun({ ...sent(bounce), secret: "" })).toBeUndefined();
});

describe("the site's URL for bounce reports", () => {
  const MAIL_FROM = "Vera <site@example.com>";
  const env = { RATE_LIMIT: "off", MAIL_URL: "postmark://token", MAIL_FROM };
  const site = setUpSiteForAll(() => startSite({ hasAddress: true, env }));
  test("accepts reports only with its key, and the named subscribers become unreachable", async () => {
    for (const email of ["ann@example.com", "ben@example.com"])
      await site.store.of(entities.emailSubscriptions).insert(createSubscriber(email));
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
    // Postmark can add the message that bounced.
    const withMessage = { ...bounce, Content: "Ann,\r\n".repeat(20_000) };
    expect((await post(withMessage)).body).toEqual({ taken: 1 });
    const complaint = { RecordType: "SpamComplaint", Email: "ben@example.com" };
    expect((await post(complaint, { authorization: `Bearer ${key}` })).status).toBe(200);
    expect((await post("no JSON")).status).toBe(400);
    const row = (email: string) => site.store.of(entities.emailSubscriptions).findUnique(email);
    const [ann, ben] = [await row("ann@example.com"), await row("ben@example.com")];
    expect(ann).toMatchObject({ status: "active", unreachable: "bounced" });
    expect(ben).toMatchObject({ status: "unsubscribed", unreachable: "complained" });
    expect((await site.asOwner("GET", "/api/letters")).active).toBe(0);
    // Anyone who reads the log could unsubscribe everyone.
    const log = site.log.join("\n");
    expect(log).toMatch(/ POST \/api\/letters\/reports 200 /);
    expect(log).not.toContain(key);
    expect(log).not.toContain(btoa(`${username}:${key}`));
  });

  test("has no key if the provider signs its reports, and then refuses unsigned reports", async () => {
    const SITE_URL = "https://ada.example";
    const signed = await startSite({ env: { SITE_URL, MAIL_URL: "resend://token", MAIL_FROM } });
    const path = "/api/letters/reports";
    expect(createBounceReportUrl(signed)).toBe(`https://ada.example${path}`);
    const { status } = await signed.visitor().post(path, {}, { host: "ada.example" });
    expect(status).toBe(403);
    await signed.stop();
  });
});
