/** The Email settings screen: setting up, testing, and sent messages (specification, section 2.22). */
import { afterAll, beforeEach, expect, test } from "bun:test";
import { setUpDashboard, followLink } from "../../../support/dashboard.ts";
import { makeForm, submitEnquiry } from "../../../support/enquiryForm.ts";
import { expectAccessibleAtWidths } from "../../../support/expectAccessible.ts";
import { holdRequests } from "../../../support/network.ts";
import { type MailServer, startMailServer } from "../../../support/mailServer.ts";
import { startPushService } from "../../../support/pushService.ts";
import { setUpBrowserSite, UNLIMITED } from "../../../support/browserSite.ts";
import { startSite } from "../../../support/startSite.ts";
import { waitForToast } from "../../../support/toasts.ts";
import { waitForValue } from "../../../support/waits.ts";

const site = setUpBrowserSite(() => startSite({ env: { ...UNLIMITED, PRIVATE_CALLS: "on" } }));
const dashboard = setUpDashboard(site, { width: 390 });
const servers: MailServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.stop())));
beforeEach(() => site.asOwner("DELETE", "/api/mail"));

const page = () => dashboard.page;
const button = (name: string) => page().getByRole("button", { name, exact: true });
const preset = (name: string) => page().getByRole("radio", { name, exact: true });

/** Sets the site's mail server, which may not exist. */
const setUpMail = (port: number, host = "localhost", username = "u", more: object = {}) =>
  site.asOwner("POST", "/api/mail", {
    preset: "other",
    account: { kind: "smtp", host, port, security: "starttls", username },
    secret: "p",
    fromAddress: "vera@example.com",
    ...more,
  });

async function openMail(): Promise<void> {
  await dashboard.open("email");
  await followLink(page(), "tab=email&account=mail");
  await page().getByText("Which email provider do you use?").waitFor();
}

test("each email provider shows the fields it needs, and a reload shows the stored settings except the secret", async () => {
  await openMail();
  await preset("Postmark").check();
  await page().getByLabel("Sender email address").fill("no address");
  await page().getByLabel("Server API token", { exact: true }).fill("token");
  await button("Save").click();
  await page().locator(".field-error").waitFor();
  expect(await page().getByLabel("Sender email address").getAttribute("aria-invalid")).toBe("true");
  expect(await page().getByLabel("Server API token", { exact: true }).inputValue()).toBe("token");
  // The field has the focus and the message; no toast repeats the message, which disappears with its cause.
  await page().locator("[name=fromAddress]:focus").waitFor();
  expect(await page().locator(".ui-toast").count()).toBe(0);
  await page().getByLabel("Sender email address").fill("vera@example.com");
  expect(await page().locator(".field-error").count()).toBe(0);
  await preset("Mailgun").check();
  await page().getByLabel("Mailgun domain", { exact: true }).waitFor();
  await preset("Gmail").check();
  await page().getByText("Gmail needs an app password").waitFor();
  await page().getByLabel("App password", { exact: true }).fill("abcd efgh");
  await page().getByLabel("Sender name").fill("Vera Lane");
  await button("Save").click();
  await waitForToast(page(), "Email settings saved");
  await page().getByText("Saved, but not shown here.").waitFor();
  expect(await site.asOwner("GET", "/api/mail")).toMatchObject({
    isSetUp: true,
    preset: "gmail",
    account: { host: "smtp.gmail.com", port: 465, security: "tls", username: "vera@example.com" },
  });
  await page().reload();
  expect(await page().getByLabel("Sender email address").inputValue()).toBe("vera@example.com");
  expect(await page().getByLabel("App password", { exact: true }).inputValue()).toBe("");
});

test("sending a test email shows each step and its result", async () => {
  const server = await startMailServer();
  servers.push(server);
  await setUpMail(server.port);
  await openMail();
  await button("Send test email").click();
  await page().locator(".mail-steps").getByText("certificate isn't trusted").waitFor();
  const steps = await page().locator(".mail-steps > li").allTextContents();
  expect(steps.map((text) => text.split(":")[0])).toEqual([
    "Find the mail server",
    "Connect",
    "Check its certificate",
    "Log in",
    "Check the sender",
    "Check the recipient",
  ]);
  expect(steps[1]).toContain("passed");
  expect(steps[3]).toContain("skipped");
  await page().getByLabel("Send me a daily test email").click();
  const daily = page().locator(".mail-daily");
  await daily.getByText("The mail server's certificate isn't trusted").waitFor();
  await page().reload();
  await page().getByText("The daily email test failed").waitFor();
  await daily.getByRole("checkbox").click();
  await page().getByText("The daily email test failed").waitFor({ state: "hidden" });
});

test("unsent emails are listed with the reason of the failure, and can be retried", async () => {
  await setUpMail(9, "127.0.0.1");
  const { formId, ids } = await makeForm(site, "Hi", [["text", "Your name"]]);
  await submitEnquiry(site, formId, { [ids[0]!]: "Ann" });
  await waitForValue(async () => (await site.asOwner("GET", "/api/mail")).messages[0]?.attempts, 1);
  await openMail();
  const row = page().locator(".mail-message").first();
  await row.getByText("New submission from Ann").waitFor();
  await row.getByText("Nothing is listening on this port. Check the port number.").waitFor();
  await row.getByText(/^Waiting\. Next attempt: today, \d\d:\d\d$/).waitFor();
  await row.getByRole("button", { name: /^Retry/ }).click();
  await waitForValue(async () => (await site.asOwner("GET", "/api/mail")).messages[0]?.attempts, 2);
});

test("the email screen is accessible with long words at every width, and a DNS record can be copied", async () => {
  const word = "performancesandperformersandaudiencesofalltheworld";
  const host = `${word}.example`;
  const fromAddress = `${word}@${host}`;
  await setUpMail(587, host, fromAddress, { fromName: word, fromAddress });
  await site.asOwner("POST", "/api/mail/webhook", { url: `http://127.0.0.1:9/${word}${word}` });
  await openMail();
  await page().getByLabel("Encryption").waitFor();
  // DNS has no DMARC record for this host, or can't be reached.
  const record = page().getByRole("region", { name: "DMARC" });
  expect(await record.locator(".ui-copied code").nth(1).textContent()).toBe("v=DMARC1; p=none;");
  await page().context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await record.getByRole("button", { name: "Copy: DMARC value" }).click();
  await record.getByText("Copied").waitFor();
  expect(await page().evaluate(() => navigator.clipboard.readText())).toBe("v=DMARC1; p=none;");
  await expectAccessibleAtWidths(page());
  await site.asOwner("DELETE", "/api/mail/webhook");
});

test("the email address for notifications can be set and removed, and the signature and templates of replies can be edited", async () => {
  await setUpMail(9);
  await openMail();
  const address = page().getByLabel("Send notifications to");
  await address.fill("no address");
  await button("Save address").click();
  await page().locator(".field-error").getByText("Enter an email address").waitFor();
  await address.fill("office@example.com");
  await button("Save address").click();
  await waitForToast(page(), "Email settings saved");
  expect(await site.asOwner("GET", "/api/mail")).toMatchObject({ notifyTo: "office@example.com" });
  await address.fill("");
  await button("Save address").click();
  await waitForValue(async () => (await site.asOwner<any>("GET", "/api/mail")).notifyTo, null);
  await page().getByLabel("Signature").fill("Yours, Vera");
  await button("Remove template 4").click();
  await button("Add template").click();
  await page().getByLabel("Name of template 4").fill("Thank you");
  await button("Save reply settings").click();
  await waitForToast(page(), "Enter a text for each template.");
  await page().getByLabel("Text of template 4").fill("I'd love to.");
  await button("Save reply settings").click();
  await waitForToast(page(), "Reply settings saved");
  const { signature, replyTemplates } = await site.asOwner<any>("GET", "/api/mail");
  expect([signature, replyTemplates.length, replyTemplates[3]]).toEqual([
    "Yours, Vera",
    4,
    { label: "Thank you", text: "I'd love to." },
  ]);
});

test("a webhook is saved, tested and turned off, and its secret isn't shown again after a reload", async () => {
  const paths: string[] = [];
  const receiver = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      paths.push(new URL(request.url).pathname);
      return new Response("thank you");
    },
  });
  await openMail();
  const card = dashboard.card("Webhook");
  const address = card.getByLabel("Webhook URL");
  await page().route("**/api/mail/webhook", (route) => route.abort());
  await address.fill("https://example.com/hook");
  await card.getByRole("button", { name: "Save webhook" }).click();
  // A toast stays while the pointer is over it, so only the next attempt can remove it.
  const failed = page().locator(".ui-toast", { hasText: "Couldn't save the webhook" });
  await failed.hover();
  await page().unrouteAll({ behavior: "ignoreErrors" });
  const release = await holdRequests(page(), "**/api/mail/webhook");
  await address.fill("ftp://example.com/hook");
  await address.press("Enter");
  await failed.waitFor({ state: "detached" });
  release();
  await card.getByText("Enter a URL that starts with https://").waitFor();
  await address.fill(`http://127.0.0.1:${receiver.port}/hook`);
  await card.getByRole("button", { name: "Save webhook" }).click();
  const secret = await card.locator(".ui-copied code").textContent();
  expect(secret).toStartWith("whsec_");
  await card.getByRole("button", { name: "Send test" }).click();
  await card.getByText("The test was delivered.").waitFor();
  expect(paths).toEqual(["/hook"]);
  await page().reload();
  await card.getByRole("button", { name: "Create new secret" }).waitFor();
  expect(await card.getByLabel("Signing secret", { exact: true }).count()).toBe(0);
  await receiver.stop(true);
  await card.getByRole("button", { name: "Send test" }).click();
  await card.getByText("Nothing responds at this URL.").waitFor();
  await card.getByRole("button", { name: "Turn off webhook" }).click();
  await waitForToast(page(), "Webhook turned off");
  expect((await site.asOwner<any>("GET", "/api/mail")).webhook).toBeNull();
});

test("turning on notifications registers the service worker and notifies the device, which can be removed", async () => {
  const service = startPushService();
  await openMail();
  const context = page().context();
  await context.grantPermissions(["notifications"], { origin: site.url });
  // The browser vendor's service can't be reached from here; everything else is the browser's own.
  await page().evaluate((subscription) => {
    let made: object | null = null;
    const subscribed = {
      ...subscription,
      toJSON: () => subscription,
      unsubscribe: async () => true,
    };
    Object.assign(PushManager.prototype, {
      getSubscription: async () => made,
      subscribe: async () => (made = subscribed),
    });
  }, service.subscription);
  const card = dashboard.card("Notifications on your devices");
  await card.getByRole("button", { name: "Turn on notifications" }).click();
  await card.getByText("This device").waitFor();
  await waitForValue(() => service.received.length, 1);

  // A headless browser shows no notifications; worker.test.ts tests what the worker shows.
  const worker = await page().evaluate(async () => {
    const { scope, active } = await navigator.serviceWorker.ready;
    return [scope, active?.scriptURL];
  });
  expect(worker).toEqual([`${site.url}/admin/`, `${site.url}/admin/worker.js`]);
  const devtools = await context.newCDPSession(page());
  const { url, errors } = await devtools.send("Page.getAppManifest");
  expect([url, errors]).toEqual([`${site.url}/admin/manifest.webmanifest`, []]);
  const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors");
  expect(installabilityErrors).toEqual([]);

  await card.getByRole("button", { name: /^Remove / }).click();
  await card.getByRole("button", { name: "Turn on notifications" }).waitFor();
  expect((await site.asOwner<any>("GET", "/api/push")).devices).toEqual([]);
  await service.stop();
});
