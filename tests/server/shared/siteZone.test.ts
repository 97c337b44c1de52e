/** The site uses its own time zone, which the first owner's browser reports (specification, section 3.2). */
import { beforeEach, expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import { reportUnknownZone, getSiteTimeZone } from "../../../src/server/shared/siteZone.ts";
import { waitForValue, OWNER, setUpSiteForAll, startSite } from "../../support/testSite.ts";

const site = setUpSiteForAll(startSite);

const LOCAL_ZONE = Temporal.Now.timeZoneId();
const readZone = () => site.store.of(entities.site).read().value.timeZone;
const storeZone = (timeZone: string) =>
  site.store.of(entities.site).update((value) => ({ ...value, timeZone }));
const logIn = (
  timeZone: unknown,
  { username, password }: { username: string; password: string } = OWNER,
) => site.visitor().post("/api/auth/login", { username, password, timeZone });

beforeEach(() => storeZone(""));

test("a site without a time zone uses the machine's", () => {
  expect(getSiteTimeZone(site.store)).toBe(LOCAL_ZONE);
});

test("an owner's first login sets the site's time zone to the browser's", async () => {
  expect((await logIn("Asia/Tokyo")).status).toBe(200);
  expect([readZone(), getSiteTimeZone(site.store)]).toEqual(["Asia/Tokyo", "Asia/Tokyo"]);
  await logIn("Europe/Berlin");
  expect(readZone()).toBe("Asia/Tokyo");
});

test("a login with a wrong password or an invalid time zone doesn't set the site's time zone", async () => {
  const wrong = { ...OWNER, password: "not the password at all" };
  expect((await logIn("Asia/Tokyo", wrong)).status).toBe(401);
  const none = [
    "Mars/Olympus",
    "+01:00",
    "",
    7,
    null,
    { toString: "Asia/Tokyo" },
    "x".repeat(9999),
  ];
  for (const zone of none) expect((await logIn(zone)).status).toBe(200);
  expect(readZone()).toBe("");
});

test("an owner can choose a time zone, and an unknown one is refused", async () => {
  const owner = await site.logInAsOwner();
  await site.asOwner("POST", "/api/site", { timeZone: "America/New_York" });
  for (const timeZone of ["Mars/Olympus", "+01:00", "Europe/Berlin; drop"])
    expect((await owner.post("/api/site", { timeZone })).body).toMatchObject({
      fields: { timeZone: "Choose one of the options." },
    });
  expect(readZone()).toBe("America/New_York");
});

test("a stored time zone that the system doesn't know is replaced by the machine's, and logged", async () => {
  await storeZone("Europe/Atlantis");
  const log: string[] = [];
  reportUnknownZone(site.store, (line) => log.push(line));
  expect(getSiteTimeZone(site.store)).toBe(LOCAL_ZONE);
  expect(log).toEqual([
    `time zone Europe/Atlantis is unknown on this machine; using ${LOCAL_ZONE}`,
  ]);
});

test("the privacy policy's date is the day in the site's time zone", async () => {
  const policy = async () => (await site.visitor().get("/privacy-policy")).text;
  const dayIn = (zone: string) => Temporal.Now.plainDateISO(zone).toString();
  // At any moment the two zones are a day or more apart.
  for (const zone of ["Pacific/Kiritimati", "Pacific/Niue"]) {
    await storeZone(zone);
    await waitForValue(async () => (await policy()).includes(`dateTime="${dayIn(zone)}"`), true);
  }
  expect(dayIn("Pacific/Kiritimati")).not.toBe(dayIn("Pacific/Niue"));
});
