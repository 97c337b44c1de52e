/**
 * Messages of every shape in a browser: at the width of a phone and of a desktop, light and dark, without sideways
 * scrolling, barriers or external requests; every pair of the two with `COMBINATIONS=all`.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { entities } from "../../../../src/schema/index.ts";
import type { AppContext } from "../../../../src/server/app.ts";
import { closePages, newPage, type TestPage } from "../../../support/browser.ts";
import { addForm, ANSWERS, createEnquiry } from "../../../support/enquirySite.ts";
import { findBarriers } from "../../../support/axe.ts";
import { measureOverflow } from "../../../support/pageState.ts";
import type { MailServer } from "../../../support/mailServer.ts";
import { startMailSite } from "../../../support/mailSite.ts";
import { waitForValue, type Site } from "../../../support/testSite.ts";

const IS_COMPLETE = process.env["COMBINATIONS"] === "all";
/** A mail program around the message has the landmarks. */
const IGNORED_VIOLATIONS = /^(?:landmark-one-main|region):/;
const DAY_MS = 24 * 60 * 60_000;
const LONG = {
  ...ANSWERS,
  goals: ["Rest", "Play"],
  story: `I play the cello.\nA link: https://example.com/${"long".repeat(40)}`,
};

let site: Site;
let server: MailServer;
let context: AppContext;
let page: TestPage;

beforeAll(async () => {
  ({ site, server, context } = await startMailSite({ hasAddress: true }));
  await addForm(site.store);
  await site.store
    .of(entities.forms)
    .update((all) => all.map((form) => ({ ...form, thanksMail: form.id === "form" })));
  page = await newPage();
});
afterAll(async () => {
  await closePages();
  await Promise.all([site.stop(), server.stop()]);
});

/** Waits for the message with these words in its subject. */
async function captureMessage(words: string, begin: () => Promise<unknown>) {
  const before = server.received.length;
  await begin();
  const findMail = () =>
    server.received.slice(before).find(({ subject }) => subject!.includes(words));
  await waitForValue(() => findMail() !== undefined, true);
  return findMail()!.html!;
}

const sendEnquiry = () => site.visitor().post("/api/form-submissions", createEnquiry(LONG));
const LIST = "/api/email-subscriptions";
const saveSettings = (changes: object) => site.asOwner("POST", "/api/letters/settings", changes);
const createNotice = (code: string, title: string, screen: string) => () =>
  context.mail.notifyOwners([
    {
      code,
      title,
      message: "What it is, and what is to be done about it.",
      opens: { screen, label: "Open Backups" },
    },
  ]);

/** Causes a message of each shape, and returns its HTML. Other messages are as short as that about a backup. */
const MESSAGE_KINDS: Record<string, () => Promise<string>> = {
  enquiry: () => captureMessage("New submission", sendEnquiry),
  thanks: () => captureMessage("Thank you for your enquiry", sendEnquiry),
  reply: () =>
    captureMessage("Re: Train", async () => {
      const all = await site.store.of(entities.formSubmissions).readPage({ offset: 0, limit: 1 });
      const reply = {
        subject: "Re: Train with me",
        text: "Dear Ann,\n\ncan we talk?\n\nBest wishes",
      };
      await site.asOwner("POST", `/api/form-submissions/${all.items[0]!.id}/replies`, reply);
    }),
  backup: () =>
    captureMessage("didn't work", createNotice("backup", "The last backup didn't work", "backups")),
  confirm: () =>
    captureMessage("Confirm", () => site.visitor().post(LIST, { email: "bo@example.com" })),
  letter: () =>
    captureMessage("News", async () => {
      await saveSettings({ postalAddress: "12 Lamp Street\nLondon" });
      const words = {
        subject: "News for {first name}",
        body: '<p>Hi {first name},</p><p>A line with <b>weight</b>, and <a href="/coaching">a link</a>.</p><ul><li>one</li><li>two</li></ul>',
        buttonText: "Keep me a seat",
        buttonLink: "/coaching",
      };
      const { id } = await site.asOwner("POST", "/api/letters", words);
      await site.asOwner("POST", `/api/letters/${id}/test`, {});
    }),
  "from right to left": () =>
    captureMessage("أخبار", async () => {
      const words = {
        subject: "أخبار المسرح",
        body: "<p>مرحبا {first name}،</p><p>العرض القادم في الثاني من مايو.</p><ul><li>واحد</li><li>اثنان</li></ul>",
        buttonText: "احجز مكانك",
        buttonLink: "/coaching",
      };
      const { id } = await site.asOwner("POST", "/api/letters", words);
      await site.asOwner("POST", `/api/letters/${id}/test`, {});
    }),
  // The last one, since sessions expire within the day.
  digest: () =>
    captureMessage("new submission", async () => {
      await site.asOwner("POST", "/api/mail", { notify: "daily" });
      await sendEnquiry();
      await sendEnquiry();
      site.advance(DAY_MS);
      await context.mail.queueDueMessages();
    }),
};

test.each(Object.keys(MESSAGE_KINDS))("the message %s fits, and is accessible", async (kind) => {
  const html = await MESSAGE_KINDS[kind]!();
  await page.setContent(html);
  // Lists have room for their marks on both sides, since right-to-left text has them on the other side.
  const lists = await page.$$eval("ul", (all) =>
    all.map((each) => [getComputedStyle(each).paddingLeft, getComputedStyle(each).paddingRight]),
  );
  expect(lists.flat().filter((room) => room !== "24px")).toEqual([]);
  const pairs = [390, 700].flatMap((width) =>
    (["dark", "light"] as const).map((colorScheme) => ({ width, colorScheme })),
  );
  for (const { width, colorScheme } of IS_COMPLETE ? pairs : [pairs[0]!, pairs[3]!]) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    expect((await findBarriers(page)).filter((line) => !IGNORED_VIOLATIONS.test(line))).toEqual([]);
    expect(await measureOverflow(page)).toBe(0);
  }
  expect(page.problems()).toEqual([]);
});
