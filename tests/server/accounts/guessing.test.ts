/** Guesses slow down and never keep the owner out (specification, section 6.3), by a clock of the test's own. */
import { describe, expect, test } from "bun:test";
import { loginThrottle, type Standing } from "../../../src/server/accounts/guessing.ts";
import { knownBrowsers } from "../../../src/server/accounts/knownBrowsers.ts";
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
    /** Whether a code is looked at. */
    tryCode(address: string, user = "ada"): boolean {
      try {
        return Boolean(throttle.attemptCode({ address, userAgent: null }, user));
      } catch {
        return false;
      }
    },
    /** Seconds until the try is taken; 0 when it was. */
    tryFrom: (address: string, standing?: Standing) =>
      throttle.attempt({ address, userAgent: null }, standing).then(
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
    // Five at first, six on the way to two minutes, then thirty an hour.
    expect(guesses).toBeWithin(10 * 710, 10 * 740);
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

  test.each([
    ["one after the other", (at: number) => at],
    ["one of each /56 in turn", (at: number) => at * 256 + Math.floor(at / 256)],
  ])(
    "get no more by asking from 65,536 networks of a /48, %s, faster than they are counted",
    async (_, nth) => {
      const { pass, tryFrom } = simulated();
      let guesses = 0;
      for (let at = 0; at < 3 * 65_536; at++) {
        const network = (nth(at) % 65_536).toString(16);
        if ((await tryFrom(`2001:db8:0:${network}::1`)) === 0) guesses++;
        pass(1 / 4000);
      }
      // In 49 seconds: twenty, and at most one of each of the 256 smaller networks.
      expect(guesses).toBeWithin(20, 20 + 256 + 5);
    },
  );

  test("and are refused push nobody's counter out", async () => {
    const { tryFrom } = simulated();
    for (let at = 0; at < 8; at++) await tryFrom("192.0.2.1");
    for (let at = 0; at < 20; at++) await tryFrom("2001:db8:0:1::1");
    // Spent, so that all of these are refused, but for one of each /56.
    for (let at = 0; at < 65_536; at++) await tryFrom(`2001:db8:0:${at.toString(16)}::1`);
    expect(await tryFrom("192.0.2.1")).toBe(2);
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

describe("who shares an address with somebody who guesses all day", () => {
  const SHARED = "192.0.2.1";

  /**
   * A day in which somebody tries so many times a second, and the owner comes back when they may and a few
   * seconds of chance later.
   */
  async function day(rate: number, guesser: Standing) {
    const { pass, tryFrom } = simulated();
    const chance = chances();
    let guesses = 0;
    /** The owner's tries up to each that was taken. */
    const needed = [0];
    let standing: Standing = {};
    let next = 30;
    for (let at = 0; at < 24 * HOUR; at += 1 / rate) {
      if ((await tryFrom(SHARED, guesser)) === 0) guesses++;
      pass(1 / rate);
      if (at < next) continue;
      needed[needed.length - 1]!++;
      const wait = await tryFrom(SHARED, standing);
      // What the response gives to a browser that is refused.
      standing = wait > 0 ? { waiting: `owner ${needed.length}` } : {};
      if (wait === 0) needed.push(0);
      next = at + (wait || 60) + 5 * chance();
    }
    return { guesses, taken: needed.length - 1, most: Math.max(...needed) };
  }

  /** The same row of numbers from 0 to 1 each time (Park and Miller). */
  function chances() {
    let seed = 1;
    return () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
  }

  test.each([1, 10])("%d times a second is let in at the second try", async (rate) => {
    const { guesses, taken, most } = await day(rate, {});
    expect(guesses).toBeWithin(715, 735);
    expect(taken).toBeGreaterThan(500);
    expect(most).toBe(2);
  });

  test("in one browser that keeps its cookies is let in after a few tries", async () => {
    const { guesses, taken, most } = await day(1, { waiting: "theirs" });
    // Those of the address, and every other one of the line.
    expect(guesses).toBeLessThan(730 + 730);
    expect(taken).toBeGreaterThan(300);
    expect(most).toBeLessThanOrEqual(5);
  });
});

describe("codes of six digits, by who knows the password", () => {
  test("come from everywhere at most 800 times a day, which guesses one in 600 days", async () => {
    const { pass, tryCode } = simulated();
    let guesses = 0;
    for (let second = 0; second < 24 * HOUR; second++) {
      if (tryCode(`${second % 251}.${second % 241}.${second % 239}.9`)) guesses++;
      pass(1);
    }
    expect(guesses).toBeWithin(700, 830);
  });

  test("from ten networks keep the owner out of none but these", async () => {
    const { pass, tryCode } = simulated();
    for (let second = 0; second < HOUR; second++) {
      tryCode(`198.51.${second % 10}.7`);
      pass(1);
    }
    expect(tryCode("198.51.3.8")).toBe(false);
    expect(tryCode("203.0.113.7")).toBe(true);
    expect(tryCode("198.51.3.8", "bob")).toBe(true);
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
    for (let at = 0; at < 5; at++)
      expect(await tryFrom("192.0.2.1", { known: "browser a" })).toBe(0);
    expect(await tryFrom("192.0.2.1", { known: "browser a" })).toBe(2);
    expect(await tryFrom("192.0.2.1", { known: "browser b" })).toBe(0);
    expect(await tryFrom("192.0.2.2")).toBe(0);
    expect(slept).toHaveLength(6);
  });

  test("that has to wait is known by a cookie that the site has made, and by the same one again", () => {
    const browsers = knownBrowsers(secret, true);
    const made = browsers.wait(new Request("http://x"));
    expect(made).toMatch(
      /^__Secure-limelight-waiting=.*; Path=\/api\/auth; Max-Age=3600; Secure; HttpOnly; SameSite=Strict$/,
    );
    const waiting = /=(.{22})/.exec(made)![1]!;
    expect(browsers.find(requestWith(made), "ada")).toEqual({ waiting });
    expect(browsers.find(requestWith(made), undefined)).toEqual({ waiting });
    expect(browsers.wait(requestWith(made))).toBe(made);
    expect(browsers.find(requestWith(made.replace("=", "=A")), "ada")).toEqual({});
    // It makes no browser a known one.
    const renamed = made.replace("waiting", "browser");
    expect(browsers.find(requestWith(renamed), "ada")).toEqual({});
  });

  test("stays known when the program starts anew", () => {
    const cookie = knownBrowsers(secret, false).know(new Request("http://x"), "ada").cookie;
    const again = knownBrowsers(secret, false);
    const known = `browser ${/=(.{22})/.exec(cookie)![1]}`;
    expect(again.find(requestWith(cookie), "ada")).toEqual({ known });
    expect(cookie).toEndWith("; Path=/api/auth; Max-Age=34560000; HttpOnly; SameSite=Strict");
    expect(knownBrowsers(secret, true).know(new Request("http://x"), "ada").cookie).toMatch(
      /^__Secure-limelight-browser=.*; Secure/,
    );
  });

  test("is known for one user, of this site, with a cookie that nobody has changed", () => {
    const browsers = knownBrowsers(secret, false);
    const cookie = browsers.know(new Request("http://x"), "ada").cookie;
    const other = knownBrowsers(crypto.getRandomValues(new Uint8Array(32)), false);
    expect(browsers.find(requestWith(cookie), "bob")).toEqual({});
    expect(browsers.find(requestWith(cookie), undefined)).toEqual({});
    expect(other.find(requestWith(cookie), "ada")).toEqual({});
    for (const wrong of ["", "x=y", cookie.replace("=", "=A"), "limelight-browser=.."])
      expect(browsers.find(requestWith(wrong), "ada")).toEqual({});
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
