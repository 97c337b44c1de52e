/** Guesses slow down and never lock the owner out (specification, section 6.3), on a simulated clock. */
import { describe, expect, test } from "bun:test";
import { createDeviceCookies } from "../../../src/server/accounts/deviceCookies.ts";
import { LoginThrottle } from "../../../src/server/accounts/loginThrottle.ts";
import { createPasswords } from "../../../src/server/accounts/passwords.ts";
import type { Refusal } from "../../../src/server/shared/errors.ts";
import { NO_CHANNEL } from "../../../src/server/shared/instanceCoordinator.ts";

const HOUR_S = 3600;

/** A throttle on a simulated clock. */
function createSimulation() {
  let now = 0;
  const throttle = new LoginThrottle({ clock: () => now, isEnabled: true, channel: NO_CHANNEL });
  /** The seconds until an attempt is admitted; 0 if it is admitted now. */
  const waitOf = (attempt: () => unknown): number => {
    try {
      attempt();
      return 0;
    } catch (refusal) {
      return Number((refusal as Refusal).details.headers!["retry-after"]);
    }
  };
  return {
    pass: (seconds: number) => void (now += seconds * 1000),
    /** Whether a code is checked. */
    tryCode: (user = "ada") => waitOf(() => throttle.admitCodeAttempt(user)) === 0,
    tryFrom: (address: string, deviceId?: string) =>
      waitOf(() => throttle.admitAttempt({ address, userAgent: null }, deviceId)),
  };
}

describe("strangers who guess passwords all day", () => {
  test("from ten IP addresses never block the owner at a new IP address", async () => {
    const { pass, tryFrom } = createSimulation();
    let guesses = 0;
    let refused = 0;
    const waits = Array<number>(10).fill(0);
    for (let second = 0; second < 24 * HOUR_S; second++) {
      for (const at of waits.keys()) {
        // A refused attempt isn't counted, so those before the wait is over can be skipped.
        if (waits[at]!-- > 0) continue;
        waits[at] = tryFrom(`198.51.${at}.7`);
        if (waits[at] === 0) guesses++;
      }
      const other = `203.${second % 251}.${second % 253}.9`;
      if (second % 60 === 30 && tryFrom(other) > 0) refused++;
      pass(1);
    }
    expect(refused).toBe(0);
    // Five at first, six until the wait is two minutes, then thirty an hour.
    expect(guesses).toBeWithin(10 * 710, 10 * 740);
  });

  test("from the owner's own network never block an IP address that hasn't tried a password", async () => {
    const { pass, tryFrom } = createSimulation();
    for (let second = 0; second < HOUR_S / 10; second++) {
      for (let at = 0; at < 10; at++) tryFrom(`198.51.100.${at}`);
      pass(1);
    }
    expect(tryFrom("198.51.100.200")).toBe(0);
  });

  test.each([
    ["256 addresses of IPv4", (at: number) => `198.51.100.${at % 256}`],
    ["a /56 of IPv6", (at: number) => `2001:db8:0:${(at % 256).toString(16)}::1`],
    ["a /48 of IPv6", (at: number) => `2001:db8:0:${((at * 257) % 65_536).toString(16)}::1`],
  ])("get only a few hundred guesses an hour from %s", async (_, address) => {
    const { pass, tryFrom } = createSimulation();
    let guesses = 0;
    for (let at = 0; at < 2 * HOUR_S; at++) {
      if (tryFrom(address(at)) === 0) guesses++;
      pass(0.5);
    }
    // Twenty, one a minute, and at most one for each of the 256 smaller networks.
    expect(guesses).toBeWithin(60, 20 + 80 + 256);
  });

  test.each([
    ["one after the other", (at: number) => at],
    ["one of each /56 in turn", (at: number) => at * 256 + Math.floor(at / 256)],
  ])(
    "get few guesses from all networks of an IPv6 /48, used %s, even at 4,000 attempts a second",
    async (_, nth) => {
      const { pass, tryFrom } = createSimulation();
      let guesses = 0;
      for (let at = 0; at < 3 * 65_536; at++) {
        const network = (nth(at) % 65_536).toString(16);
        if (tryFrom(`2001:db8:0:${network}::1`) === 0) guesses++;
        pass(1 / 4000);
      }
      // In 49 seconds: twenty, and at most one for each of the 256 smaller networks.
      expect(guesses).toBeWithin(20, 20 + 256 + 5);
    },
  );

  test("don't displace another sender's counter with refused guesses", async () => {
    const { tryFrom } = createSimulation();
    for (let at = 0; at < 8; at++) tryFrom("192.0.2.1");
    for (let at = 0; at < 20; at++) tryFrom("2001:db8:0:1::1");
    // Uses up the limit, so that all of these are refused except one for each /56.
    for (let at = 0; at < 65_536; at++) tryFrom(`2001:db8:0:${at.toString(16)}::1`);
    expect(tryFrom("192.0.2.1")).toBe(2);
  });
});

describe("six-digit login codes", () => {
  test("are checked at most 300 times a day for each account", () => {
    const { pass, tryCode } = createSimulation();
    let guesses = 0;
    for (let second = 0; second < 24 * HOUR_S; second++) {
      if (tryCode()) guesses++;
      pass(1);
    }
    expect(guesses).toBeWithin(285, 300);
    expect(tryCode("bob")).toBe(true);
  });
});

describe("a browser that has logged in before", () => {
  const secret = crypto.getRandomValues(new Uint8Array(32));
  const createRequest = (setCookie: string) =>
    new Request("http://x/", { headers: { cookie: setCookie.split(";")[0]! } });

  test("isn't delayed by the attempts of other browsers, and doesn't delay them", async () => {
    const { tryFrom } = createSimulation();
    for (let at = 0; at < 8; at++) tryFrom("192.0.2.1");
    expect(tryFrom("192.0.2.1")).toBe(2);
    for (let at = 0; at < 5; at++) expect(tryFrom("192.0.2.1", "browser a")).toBe(0);
    expect(tryFrom("192.0.2.1", "browser a")).toBe(2);
    expect(tryFrom("192.0.2.1", "browser b")).toBe(0);
    expect(tryFrom("192.0.2.2")).toBe(0);
  });

  test("is still recognized after a restart", () => {
    const cookie = createDeviceCookies(secret, false).createCookie(
      new Request("http://x"),
      "ada",
    ).cookie;
    const again = createDeviceCookies(secret, false);
    const deviceId = `browser ${/=(.{22})/.exec(cookie)![1]}`;
    expect(again.findThrottleKey(createRequest(cookie), "ada")).toBe(deviceId);
    expect(cookie).toEndWith("; Path=/api/auth; Max-Age=34560000; HttpOnly; SameSite=Strict");
    expect(
      createDeviceCookies(secret, true).createCookie(new Request("http://x"), "ada").cookie,
    ).toMatch(/^__Secure-limelight-browser=.*; Secure/);
  });

  test("is recognized only for its user, on this site and with an unchanged cookie", () => {
    const browsers = createDeviceCookies(secret, false);
    const cookie = browsers.createCookie(new Request("http://x"), "ada").cookie;
    const other = createDeviceCookies(crypto.getRandomValues(new Uint8Array(32)), false);
    expect(browsers.isRecognized(createRequest(cookie))).toBe(true);
    expect(browsers.findThrottleKey(createRequest(cookie), "bob")).toBeUndefined();
    expect(browsers.findThrottleKey(createRequest(cookie), undefined)).toBeUndefined();
    expect(other.findThrottleKey(createRequest(cookie), "ada")).toBeUndefined();
    expect(other.isRecognized(createRequest(cookie))).toBe(false);
    const renamed = cookie.replace("~ada", "~bob");
    for (const wrong of ["", "x=y", cookie.replace("=", "=A"), renamed, "limelight-browser=.."])
      for (const user of ["ada", "bob", undefined]) {
        const request = createRequest(wrong);
        expect([browsers.isRecognized(request), browsers.findThrottleKey(request, user)]).toEqual([
          false,
          undefined,
        ]);
      }
  });

  test("doesn't have to wait until all strangers' guesses are checked", async () => {
    const { hash, verify } = createPasswords();
    const stored = await hash("velvet curtain nine");
    let compared = 0;
    const strangers = Array.from({ length: 20 }, () =>
      verify("wrong words x", stored, "stranger").then(() => compared++),
    );
    expect(await verify("velvet curtain nine", stored, "known")).toBe(true);
    // After all of them it would be 19. One of the two threads may stall for a while.
    expect(compared).toBeLessThan(15);
    await Promise.all(strangers);
  });
});
