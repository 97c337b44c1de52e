/** A letter is sent by who is there: the dashboard asks for the password in place and goes on (specification, section 6.3). */
import { afterAll, expect, test } from "bun:test";
import { entities } from "../../../../src/schema/index.ts";
import { WIDTHS } from "../../../support/browser.ts";
import { dashboardForAll } from "../../../support/dashboard.ts";
import { expectSound } from "../../../support/expectSound.ts";
import { WORDS } from "../../../support/letterSite.ts";
import { startMailServer } from "../../../support/mailServer.ts";
import { freePort } from "../../../support/ports.ts";
import { OWNER } from "../../../support/site.ts";
import { siteInBrowser } from "../../../support/siteInBrowser.ts";
import { startSite } from "../../../support/startSite.ts";
import { joinAll, subscriber } from "../../../support/subscriber.ts";
import { eventually } from "../../../support/waits.ts";

const server = await startMailServer({ login: false, plain: true });
afterAll(() => server.stop());
const port = freePort();
const site = siteInBrowser(() =>
  startSite({
    port,
    env: {
      RATE_LIMIT: "off",
      SITE_URL: `http://127.0.0.1:${port}`,
      MAIL_URL: `smtp://127.0.0.1:${server.port}`,
      MAIL_FROM: "Vera <site@example.com>",
    },
  }),
);
const dashboard = dashboardForAll(site);
const { button, dialog } = dashboard;
const page = () => dashboard.page;

test("sending a letter asks for the password in place, and then it is sent", async () => {
  const people = site.store.of(entities.emailSubscriptions);
  await people.insert(subscriber("fan@example.com"));
  // More of one domain than are written to in an hour.
  await joinAll(
    site,
    Array.from({ length: 27 }, (_, at) => ({ email: `crowd${at}@example.org` })),
  );
  await site.asOwner("POST", "/api/letters/settings", { postalAddress: "12 Lamp Street" });
  const { id } = await site.asOwner("POST", "/api/letters", WORDS);
  await site.asOwner("POST", `/api/letters/${id}/test`, {});
  // The dashboard asks once for what needs somebody: by then some of them wait.
  const notices = async () =>
    ((await site.asOwner("GET", "/api/notices")) as { code: string }[]).map(({ code }) => code);
  await eventually(async () => (await notices()).includes("mailing_list_crowd"), true);
  const place = { sub: `letters.${id}` };
  for (const width of WIDTHS) {
    await dashboard.open("email", { ...place, width });
    // The login counts no more.
    site.advance(11 * 60_000);
    await page().getByText("Many join the mailing list at once").waitFor();
    await expectSound(page());
    await page().getByRole("button", { name: "Send", exact: false }).first().click();
    await button("Send to 1 now").click();
    await dialog("Confirm it's you").getByLabel("Password", { exact: true }).waitFor();
    await expectSound(page());
    await button("Not now").click();
  }
  expect(server.taken.filter(({ to }) => to![0]!.address === "fan@example.com")).toEqual([]);
  await button("Send to 1 now").click();
  await dialog("Confirm it's you").getByLabel("Password", { exact: true }).fill(OWNER.password);
  await button("Confirm").click();
  await eventually(
    () => server.taken.filter(({ to }) => to![0]!.address === "fan@example.com").length,
    1,
  );
});
