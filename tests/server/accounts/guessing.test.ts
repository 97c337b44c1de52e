/** Guesses slow down and never keep the owner out (specification, section 6.3), by a clock of the test's own. */
import { describe, expect, test } from "bun:test";
import { knownBrowsers, loginThrottle } from "../../../src/server/accounts/guessing.ts";
import { passwords } from "../../../src/server/accounts/passwords.ts";
import type { Refusal } from "../../../src/server/shared/errors.ts";

const HOUR = 3600;

/** A throttle in a time of its own; `slept` has how long each taken try was delayed. */
function simulated() {
  let now = 0;
  const slept: number[] = [];
  const throttle = loginThrottle({
    clock: () => now,
    enabled: true,
    sleep: async (ms) => void slept.push(ms),
  });
  return {
    slept,
    throttle,
    pass: (seconds: number) => void (now += seconds * 1000),
    /** Seconds until the try is taken; 0 when it was. */
    tryFrom: (address: string, browser?: string) =>
      throttle.attempt({ address, userAgent: null }, browser).then(
        () => 0,
        (refusal: Refusal) => Number(refusal.details.headers!["retry-after"]),
      ),
  };
}

describe("strangers who guess all day", () => {
  test("from ten addresses, once a second each, keep the owner out from no new address", async () => {
    const { slept, pass, tryFrom } = simulated();
    let guesses = 0;
    let refused = 0;
    const waits = Array<number>(10).fill(0);
    for (let second = 0; second < 24 * HOUR; second++) {
      for (const at of waits.keys()) {
        // A refused try is not counted, so those until the wait is over can be left out.
        if (waits[at]!-- > 0) continue;
        waits[at] = await tryFrom(`198.51.${at}.7`);
        if (waits[at] === 0) guesses++;
      }
      const other = `203.${second % 251}.${second % 253}.9`;
      if (second % 60 === 30 && (await tryFrom(other)) > 0) refused++;
      pass(1);
    }
    expect(refused).toBe(0);
    expect(Math.max(...slept)).toBe(3000);
    // Five at first, eight on the way to 15 minutes, then four an hour.
    expect(guesses).toBeWithin(10 * 90, 10 * 120);
  });

  test("from the owner's own network of 256 addresses, keep out no address that hasn't tried", async () => {
    const { pass, tryFrom } = simulated();
    for (let second = 0; second < HOUR / 10; second++) {
      for (let at = 0; at < 10; at++) await tryFrom(`198.51.100.${at}`);
      pass(1);
    }
    expect(await tryFrom("198.51.100.200")).toBe(0);
  });

  test.each([
    ["256 addresses of IPv4", (at: number) => `198.51.100.${at % 256}`],
    ["a /56 of IPv6", (at: number) => `2001:db8:0:${(at % 256).toString(16)}::1`],
    ["a /48 of IPv6", (at: number) => `2001:db8:0:${((at * 257) % 65_536).toString(16)}::1`],
  ])("get few guesses an hour out of %s", async (_, address) => {
    const { pass, tryFrom } = simulated();
    let guesses = 0;
    for (let at = 0; at < 2 * HOUR; at++) {
      if ((await tryFrom(address(at))) === 0) guesses++;
      pass(0.5);
    }
    // Twenty, one a minute, and at most one of each of the 256 smaller networks.
    expect(guesses).toBeWithin(60, 20 + 80 + 256);
  });

  test("delay nobody any more once they have stopped for a while", async () => {
    const { slept, pass, tryFrom } = simulated();
    for (let at = 0; at < 100; at++) await tryFrom(`198.51.${at}.7`);
    expect(slept.at(-1)).toBe(3000);
    pass(20 * 60);
    await tryFrom("203.0.113.1");
    expect(slept.at(-1)).toBe(0);
  });
});

describe("a known browser", () => {
  const secret = crypto.getRandomValues(new Uint8Array(32));
  const requestWith = (setCookie: string) =>
    new Request("http://x/", { headers: { cookie: setCookie.split(";")[0]! } });

  test("is counted on its own: others hold it up as little as it holds up them", async () => {
    const { slept, tryFrom } = simulated();
    for (let at = 0; at < 8; at++) await tryFrom("192.0.2.1");
    expect(await tryFrom("192.0.2.1")).toBe(2);
    for (let at = 0; at < 5; at++) expect(await tryFrom("192.0.2.1", "browser a")).toBe(0);
    expect(await tryFrom("192.0.2.1", "browser a")).toBe(2);
    expect(await tryFrom("192.0.2.1", "browser b")).toBe(0);
    expect(await tryFrom("192.0.2.2")).toBe(0);
    expect(slept).toHaveLength(6);
  });

  test("stays known when the program starts anew", () => {
    const cookie = knownBrowsers(secret, false).know(new Request("http://x"), "ada").cookie;
    const again = knownBrowsers(secret, false);
    expect(again.find(requestWith(cookie), "ada")).toBe(`browser ${/=(.{22})/.exec(cookie)![1]}`);
    expect(cookie).toEndWith("; Path=/api/auth; Max-Age=34560000; HttpOnly; SameSite=Strict");
    expect(knownBrowsers(secret, true).know(new Request("http://x"), "ada").cookie).toMatch(
      /^__Secure-limelight-browser=.*; Secure/,
    );
  });

  test("is known for one user, of this site, with a cookie that nobody has changed", () => {
    const browsers = knownBrowsers(secret, false);
    const cookie = browsers.know(new Request("http://x"), "ada").cookie;
    const other = knownBrowsers(crypto.getRandomValues(new Uint8Array(32)), false);
    expect(browsers.find(requestWith(cookie), "bob")).toBeUndefined();
    expect(browsers.find(requestWith(cookie), undefined)).toBeUndefined();
    expect(other.find(requestWith(cookie), "ada")).toBeUndefined();
    for (const wrong of ["", "x=y", cookie.replace("=", "=A"), "limelight-browser=.."])
      expect(browsers.find(requestWith(wrong), "ada")).toBeUndefined();
  });

  test("waits for no queue of strangers' guesses", async () => {
    const { hash, verify } = passwords();
    const stored = await hash("velvet curtain nine");
    let compared = 0;
    const strangers = Array.from({ length: 20 }, () =>
      verify("wrong words x", stored, "stranger").then(() => compared++),
    );
    expect(await verify("velvet curtain nine", stored, "known")).toBe(true);
    // Behind all of them it would be 19; one of two threads may stand still for a while.
    expect(compared).toBeLessThan(15);
    await Promise.all(strangers);
  });
});
