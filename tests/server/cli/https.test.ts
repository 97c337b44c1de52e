/**
 * HTTPS without a proxy: a certificate is ordered, stored and renewed, and refusals are reported (specification,
 * section 1.4).
 */
import { afterEach, describe, expect, test } from "bun:test";
import type { TLSSocket } from "node:tls";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import {
  createAccountKey,
  orderCertificate,
  parseRetryAfterMs,
} from "../../../src/server/cli/https/orderCertificate.ts";
import { readValidity } from "../../../src/server/cli/https/certificateStore.ts";
import {
  computeMsUntilRenewal,
  computeRetryDelayMs,
} from "../../../src/server/cli/https/renewal.ts";
import { createSelfSignedCertificate } from "../../support/certificate.ts";
import { type HttpsSite, createHttpsSite } from "../../support/httpsSite.ts";
import { findPebble, type Pebble, startPebble } from "../../support/pebble.ts";
import { OWNER_ENV } from "../../support/site.ts";
import { waitForValue } from "../../support/waits.ts";

const pebbleFolder = await findPebble();
/** Let's Encrypt's wording. */
const RATE_LIMIT_PROBLEM = {
  type: "urn:ietf:params:acme:error:rateLimited",
  detail: "too many certificates already issued for these names in the last 168h0m0s",
  status: 429,
};
const DOMAIN = "www.limelight.test, limelight.test";

test("a redirect of the certificate authority is not followed", async () => {
  let elsewhere = 0;
  const other = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => Response.json(++elsewhere),
  });
  const first = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => Response.redirect(`http://127.0.0.1:${other.port}/directory`),
  });
  try {
    const options = {
      email: undefined,
      domain: "a.example",
      challenges: new Map<string, string>(),
    };
    const directory = `http://127.0.0.1:${first.port}/directory`;
    const order = orderCertificate({
      ...options,
      directoryUrl: directory,
      accountKey: await createAccountKey(),
    });
    expect(await order.then(String, (error: Error) => error.message)).toEndWith(
      "sent no valid response",
    );
    expect(elsewhere).toBe(0);
  } finally {
    await Promise.all([first.stop(true), other.stop(true)]);
  }
});

test("an unreachable certificate authority is reported, with what to check", async () => {
  const site = await createHttpsSite("www.limelight.test");
  try {
    const directory = `https://127.0.0.1:${site.http + 1}/directory`;
    const env = { ...OWNER_ENV, ACME_DIRECTORY: directory };
    await site.start("www.limelight.test", { directory, ca: "" }, env);
    await site.waitForLog("couldn't get a certificate");
    // Monitors on this machine are answered without a certificate.
    const onPort80 = (path: string, headers = {}) =>
      fetch(`http://127.0.0.1:${site.http}${path}`, { headers, redirect: "manual" });
    const health = await onPort80("/api/health");
    expect([health.status, await health.json()]).toEqual([
      200,
      { status: "degraded", failing: [{ name: "certificate", message: expect.any(String) }] },
    ]);
    expect((await onPort80("/api/health/attention")).status).toBe(503);
    expect((await onPort80("/metrics")).status).toBe(200);
    expect((await onPort80("/metrics", { "x-forwarded-for": "203.0.113.9" })).status).toBe(404);
    expect((await onPort80("/api/hero")).status).toBe(403);
    expect(await site.log()).toContain(
      `HTTPS: couldn't get a certificate (www.limelight.test: 127.0.0.1:${site.http + 1} can't be reached). Without a certificate, the site can't be reached. Check this server's connection to the internet and its DNS. Next attempt in 15 minutes.`,
    );
  } finally {
    await site.remove();
  }
}, 60_000);

describe.skipIf(pebbleFolder === undefined)("with a test certificate authority", () => {
  let pebble: Pebble;
  let site: HttpsSite;

  async function startAuthority(options: Parameters<typeof startPebble>[2] = {}) {
    site = await createHttpsSite("www.limelight.test");
    pebble = await startPebble(pebbleFolder!, site.http, options);
  }
  const startHttpsSite = (domain = DOMAIN) => site.start(domain, pebble);

  afterEach(async () => {
    await site.remove();
    await pebble.stop();
  });

  const fetchPlain = (path: string, host = "evil.example") =>
    fetch(`http://127.0.0.1:${site.http}${path}`, { redirect: "manual", headers: { host } });

  test("a certificate for all names is obtained automatically, and port 80 redirects to HTTPS", async () => {
    await startAuthority();
    await startHttpsSite();
    for (const name of DOMAIN.split(", "))
      await site.waitForLog(`now using a certificate for ${name}.`);
    // Trusts only the authority, like a browser.
    const ca = await pebble.readRoot();
    const secure = (servername = "www.limelight.test") => site.connected({ servername, ca });
    (await secure("limelight.test")).destroy();

    const page = await sendRequest(await secure(), "/", "www.limelight.test");
    expect(page).toStartWith("HTTP/1.1 200");
    expect(page.toLowerCase()).toContain("strict-transport-security: max-age=63072000");

    const hero = await sendRequest(await secure(), "/api/hero", "www.limelight.test");
    expect(hero).toStartWith("HTTP/1.1 200");
    const offer = { servername: "www.limelight.test", ca, ALPNProtocols: ["h2", "http/1.1"] };
    const modern = await site.connected(offer);
    expect(modern.alpnProtocol).toBe("h2");
    modern.destroy();
    // The health checks are served to this machine on port 80, and to everyone under the site's name.
    for (const path of ["/api/health", "/api/health/attention"]) {
      expect((await fetchPlain(path)).status).toBe(200);
      const named = await sendRequest(await secure(), path, "www.limelight.test");
      expect(named).toStartWith("HTTP/1.1 200");
    }
    expect(await (await fetchPlain("/metrics")).text()).toContain("limelight_build_info");

    const other = await sendRequest(await secure(), "/coaching?x=1", "limelight.test");
    expect(other).toStartWith("HTTP/1.1 308");
    expect(other.toLowerCase()).toContain("location: https://www.limelight.test/coaching?x=1");
    expect(await sendRequest(await secure(), "/", "evil.example")).toStartWith("HTTP/1.1 421");

    for (const path of ["/api", "/api/hero", "/API/../api/hero"]) {
      const call = await fetchPlain(path);
      expect([path, call.status, call.headers.get("location")]).toEqual([path, 403, null]);
      expect(await call.text()).toContain("over HTTPS only");
    }
    const moved = await fetchPlain("/admin?tab=hero");
    expect([moved.status, moved.headers.get("location")]).toEqual([
      308,
      "https://www.limelight.test/admin?tab=hero",
    ]);
    expect(moved.headers.get("x-content-type-options")).toBe("nosniff");
    expect((await fetchPlain("/.well-known/acme-challenge/guess")).status).toBe(308);
  });

  test("the setup link is shown only once HTTPS works", async () => {
    await startAuthority();
    await pebble.setResolvable("www.limelight.test", false);
    await site.start("www.limelight.test", pebble, {});
    await site.waitForLog("HTTPS: ");
    expect(await site.log()).not.toContain("Set up your site here");
    await pebble.setResolvable("www.limelight.test", true);
    await site.stop();
    await site.start("www.limelight.test", pebble, {});
    await site.waitForLog(/now using a certificate[^]*Set up your site here/);
  });

  test("stored certificates are private, and the next start uses them without the authority", async () => {
    await startAuthority();
    const start = () => site.start("www.limelight.test", pebble);
    await start();
    await site.waitForLog("now using a certificate");
    const before = await site.readSerial();
    expect(await site.stop()).toBe(0);
    const certificatesFolder = join(site.folder, "certificates");
    const names = ["account.json", "certificate-www.limelight.test.json"];
    expect((await readdir(certificatesFolder)).sort()).toEqual(names);
    for (const name of names)
      expect((await stat(join(certificatesFolder, name))).mode & 0o777).toBe(0o600);
    await pebble.stop();
    await start();
    await waitForValue(site.readSerial, before);
    // Started again for `afterEach`, which stops it.
    pebble = await startPebble(pebbleFolder!, site.http);
  });

  test("a certificate is renewed in time, and requests under way get their response", async () => {
    await startAuthority({ seconds: 12 });
    await startHttpsSite();
    await site.waitForLog("now using a certificate");
    // Waits until shortly before the renewal, at two thirds of the lifetime: slow senders are cut off after 15 seconds.
    const { valid_from: from, valid_to: to } = (await site.served())!;
    const due = Date.parse(from) + ((Date.parse(to) - Date.parse(from)) * 2) / 3;
    await Bun.sleep(Math.max(0, due - 1500 - Date.now()));
    const slow = await site.connected();
    const body = JSON.stringify({ email: "ann@example.com", name: "x".repeat(40) });
    const answered = collectText(slow);
    slow.write(
      `POST /api/email-subscriptions HTTP/1.1\r\nHost: www.limelight.test\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    const before = await site.readSerial();
    // Sends a few bytes now and then, until there is a new certificate.
    let sent = 0;
    const drip = setInterval(() => slow.write(body.slice(sent, ++sent)), 400);
    await waitForValue(async () => (await site.readSerial()) !== before, true, site.log);
    clearInterval(drip);
    expect(sent).toBeLessThan(body.length);
    slow.write(body.slice(sent));
    expect(await answered).toStartWith("HTTP/1.1 201");
  }, 120_000);

  test("a domain name that the authority refuses is reported with the reason, and retried later", async () => {
    await startAuthority({ blocked: ["blocked.limelight.test"] });
    await startHttpsSite("blocked.limelight.test");
    await site.waitForLog(/couldn't get a certificate \(.+\)/);
    expect(await site.log()).toMatch(/blocked\.limelight\.test[\s\S]*Next attempt in 15 minutes\./);
    const answer = await fetchPlain("/");
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "60"]);
    expect(await answer.text()).toBe(
      "This site is getting its certificate. Try again in a minute.",
    );
  });

  test("a rate limit of the authority is reported, and nothing more is requested after it", async () => {
    const limited = "/order-plz";
    await startAuthority();
    const requested: string[] = [];
    const inFront = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      tls: pebble.tls,
      async fetch(call) {
        const { pathname, host } = new URL(call.url);
        requested.push(pathname);
        if (limits && pathname.startsWith(limited))
          return Response.json(RATE_LIMIT_PROBLEM, {
            status: 429,
            headers: { "retry-after": "7200" },
          });
        const passed = await fetch(new URL(pathname, pebble.directory), {
          method: call.method,
          headers: { ...Object.fromEntries(call.headers), host },
          body: call.method === "POST" ? await call.bytes() : undefined,
          tls: { ca: pebble.tls.cert },
        });
        return new Response(passed.body, { status: passed.status, headers: passed.headers });
      },
    });
    let limits = true;
    try {
      const limiting = { ...pebble, directory: `https://127.0.0.1:${inFront.port}/dir` };
      await site.start(DOMAIN, limiting);
      await site.waitForLog("couldn't get a certificate");
      const reasons = DOMAIN.split(", ").map((name) => `${name}: ${RATE_LIMIT_PROBLEM.detail}`);
      expect(await site.log()).toContain(`(${reasons.join("; ")})`);
      expect(await site.log()).toContain("Next attempt in 120 minutes.");
      // One order for each name, which ends with the refusal.
      const isLimited = (path: string) => path.startsWith(limited);
      expect(requested.filter(isLimited)).toHaveLength(reasons.length);
      expect(isLimited(requested.at(-1)!)).toBe(true);
      await site.stop();
      limits = false;
      await site.start(DOMAIN, limiting);
      await site.waitForLog("now using a certificate");
    } finally {
      await inFront.stop(true);
    }
  });
});

describe("when a certificate is renewed", () => {
  test("the next attempt waits as long as the authority's rate limit says, at most a day", () => {
    expect(computeRetryDelayMs(1, 3_600_000)).toBe(3_600_000);
    expect(computeRetryDelayMs(1, 1000)).toBe(15 * 60_000);
    expect(computeRetryDelayMs(8, 1000)).toBe(24 * 3_600_000);
    expect(computeRetryDelayMs(1, 7 * 24 * 3_600_000)).toBe(24 * 3_600_000);
    const now = Date.parse("2026-11-22T12:00:00Z");
    expect(parseRetryAfterMs("120", now)).toBe(120_000);
    expect(parseRetryAfterMs("Sun, 22 Nov 2026 13:00:00 GMT", now)).toBe(3_600_000);
    for (const none of [undefined, "", "soon", "-5", "Sun, 22 Nov 2026 11:00:00 GMT"])
      expect(parseRetryAfterMs(none, now)).toBe(0);
  });

  const DAY_MS = 24 * 3_600_000;

  test("the renewal is due after two thirds of the lifetime, and is checked twice a day", async () => {
    const certificate = await createSelfSignedCertificate(90);
    const { startsAt: begins, endsAt: ends } = readValidity(certificate);
    expect(computeMsUntilRenewal(undefined, begins)).toBe(0);
    expect(computeMsUntilRenewal(certificate, begins)).toBe(DAY_MS / 2);
    expect(computeMsUntilRenewal(certificate, begins + 60 * DAY_MS - 60_000)).toBe(60_000);
    expect(computeMsUntilRenewal(certificate, begins + 61 * DAY_MS)).toBe(0);
    expect(computeMsUntilRenewal(certificate, ends + DAY_MS)).toBe(0);
  });

  test("after each failure the delay before the next attempt doubles, up to a day", () => {
    const minutes = Array.from({ length: 9 }, (_, at) => computeRetryDelayMs(at + 1) / 60_000);
    expect(minutes).toEqual([15, 30, 60, 120, 240, 480, 960, 1440, 1440]);
  });
});

function collectText(socket: TLSSocket): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    socket.on("data", (data) => {
      text += String(data);
      if (text.includes("\r\n\r\n")) resolve(text);
    });
    socket.on("close", () => resolve(text));
    socket.on("error", () => resolve(text));
  });
}

async function sendRequest(socket: TLSSocket, path: string, host: string): Promise<string> {
  const answer = collectText(socket);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  const text = await answer;
  socket.destroy();
  return text;
}
