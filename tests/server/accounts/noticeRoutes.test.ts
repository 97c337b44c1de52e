/** Notices to the owner, in the log once and in the dashboard as long as they apply. */
import { afterEach, expect, test } from "bun:test";
import type { Store } from "../../../src/server/storage/store.ts";
import { createUntrustedProxyCheck } from "../../../src/server/http/visitor.ts";
import { STORAGE_LIMITS, createQuotaNotices } from "../../../src/server/visitors/visitorQuota.ts";
import { type Site, startSite } from "../../support/startSite.ts";

let site: Site | undefined;
afterEach(async () => {
  await site?.stop();
  site = undefined;
});

const readNotices = async () => (await (await site!.owner()).get("/api/notices")).body as unknown[];
const subscribe = (headers: Record<string, string>) =>
  site!.visitor().post("/api/email-subscriptions", { email: "a@example.com" }, headers);

test("a proxy missing from TRUSTED_PROXIES is reported with the setting to change, and logged once", async () => {
  site = await startSite();
  expect(await readNotices()).toEqual([]);
  await subscribe({ "x-forwarded-for": "198.51.100.7" });
  const message =
    "Requests arrive through a proxy at 127.0.0.1. Everyone behind that proxy shares one rate limit, so one visitor can use it up for all. If the proxy is yours, set TRUSTED_PROXIES=127.0.0.1 and restart Limelight.";
  expect(await readNotices()).toEqual([{ code: "forgotten_proxy", message }]);
  await subscribe({ "x-forwarded-for": "198.51.100.8" });
  await readNotices();
  expect(site.log.filter((line) => line === message)).toHaveLength(1);
});

test("no proxy is reported if TRUSTED_PROXIES lists it, or if requests have no X-Forwarded-For", async () => {
  site = await startSite({ env: { TRUSTED_PROXIES: "127.0.0.1" } });
  await subscribe({ "x-forwarded-for": "198.51.100.7" });
  expect(await readNotices()).toEqual([]);
  await site.stop();
  site = await startSite();
  await subscribe({});
  expect(await readNotices()).toEqual([]);
});

test("a stranger who sends X-Forwarded-For over the internet isn't reported as a proxy", () => {
  const { reportUntrusted, findNotices: messages } = createUntrustedProxyCheck();
  reportUntrusted("203.0.113.9");
  reportUntrusted("unknown");
  expect(messages()).toEqual([]);
});

test.each([
  [0.49, undefined],
  [0.5, 50],
  [0.79, 50],
  [0.8, 80],
  [0.95, 95],
  [1, 95],
])("a list with %f of its storage used is reported at %p percent", async (share, percent) => {
  const { bytes } = STORAGE_LIMITS.formSubmissions;
  const handle = { count: async () => 0, measureBytes: async () => share * bytes };
  const none = { count: async () => 0, measureBytes: async () => 0 };
  const of = ({ key }: { key: string }) => (key === "formSubmissions" ? handle : none);
  const messages = (await createQuotaNotices({ of } as unknown as Store)).map(
    ({ message }) => message,
  );
  const start = "Submissions use at least";
  expect(messages.map((message) => message.slice(0, start.length + 11))).toEqual(
    percent === undefined ? [] : [`${start} ${percent} percent`],
  );
});
