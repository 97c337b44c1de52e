/** Refused bodies are counted against their sender (docs/threats.md). */
import { expect, test } from "bun:test";
import { setUpSiteForAll, startSite } from "../../support/testSite.ts";

const site = setUpSiteForAll(() => startSite({ env: { TRUSTED_PROXIES: "127.0.0.1,::1" } }));

const createHeaders = (address: string) => ({
  "content-type": "application/json",
  "x-forwarded-for": address,
});
const LONG_BODY = `{"x":[${"[],".repeat(3000)}1]}`;

test("after 60 refused request bodies, a sender's long bodies get 429, and short bodies are still read", async () => {
  site.stopClock();
  const sender = createHeaders("198.51.100.7");
  const send = (body: string, headers = sender) =>
    site.visitor().post("/api/auth/login", body, headers);
  for (let at = 0; at < 60; at++) expect((await send(LONG_BODY)).status).toBe(400);
  const refused = await send(LONG_BODY);
  expect([refused.status, refused.body.code]).toEqual([429, "too_many_requests"]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await send('{"username":"Ada","password":"x"}')).status).toBe(401);
  expect((await send(LONG_BODY, createHeaders("203.0.113.5"))).status).toBe(400);
  const owner = await site.logInAsOwner();
  const { status } = await owner.post("/api/hero", `{"subtitle":"${"x".repeat(3000)}"}`, sender);
  expect(status).not.toBe(429);
  site.advance(2_000);
  expect((await send(LONG_BODY)).status).toBe(400);
});

test("responses to calls with a session aren't stored by the browser", async () => {
  const owner = await site.logInAsOwner();
  for (const path of [
    "/api/testimonials",
    "/api/testimonial-requests",
    "/api/hero",
    "/api/forms",
  ]) {
    const { headers } = await owner.get(path);
    expect([path, headers.get("cache-control")]).toEqual([path, "no-store"]);
  }
  const { headers } = await site.visitor().get("/api/hero");
  expect(headers.get("cache-control")).toBe("private, no-cache");
});
