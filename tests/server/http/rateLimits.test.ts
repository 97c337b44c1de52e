/** Rates, addresses and concurrent bodies (specification, section 6.5). */
import { describe, expect, test } from "bun:test";
import type { Payload } from "../../../src/server/shared/instanceCoordinator.ts";
import {
  createConcurrencyLimit,
  createRateLimitFactory,
  createPageViews,
} from "../../../src/server/http/rateLimits.ts";
import {
  createClientAddressLookup,
  createAddressMatcher,
  createRateLimitKey,
} from "../../../src/server/http/visitor.ts";
import type { Refusal } from "../../../src/server/shared/errors.ts";

const createVisitor = (address: string) => ({ address, userAgent: null });
const catchRefusal = (call: () => void): Refusal | undefined => {
  try {
    call();
    return undefined;
  } catch (error) {
    return error as Refusal;
  }
};

describe("a rate limit", () => {
  const reserve = {
    perNetwork: { burst: 1, perMinute: 1 / 60 },
    wholeSite: { burst: 2, perMinute: 1 },
  };
  const rule = {
    name: "tests",
    perVisitor: { burst: 3, perMinute: 6 },
    wholeSite: { burst: 5, perMinute: 60 },
    reserve,
    message: "Slow down.",
  };
  const createLimits = (clock: () => number, enabled = true, visited = createPageViews(clock)) =>
    createRateLimitFactory({ clock, isEnabled: enabled, pageViews: visited });

  test("allows each visitor a burst of calls, then refuses calls until the limit refills", () => {
    let now = 0;
    const limit = createLimits(() => now)(rule);
    for (let at = 0; at < 3; at++) limit.consume(createVisitor("192.0.2.1"));
    const refused = catchRefusal(() => limit.consume(createVisitor("192.0.2.1")))!;
    expect([refused.status, refused.body.error]).toEqual([429, "Slow down."]);
    expect(refused.details.headers!["retry-after"]).toBe("10");
    now += 10_000;
    limit.consume(createVisitor("192.0.2.1"));
    expect(catchRefusal(() => limit.consume(createVisitor("192.0.2.1")))?.status).toBe(429);
    limit.consume(createVisitor("192.0.2.2"));
  });

  test("also applies to all visitors of the site together", () => {
    const limit = createLimits(() => 0)(rule);
    for (let at = 0; at < 5; at++) limit.consume(createVisitor(`192.0.2.${at}`));
    expect(catchRefusal(() => limit.consume(createVisitor("192.0.2.99")))?.status).toBe(429);
  });

  test("counts an IPv6 network of 64 bits as one visitor", () => {
    const limit = createLimits(() => 0)(rule);
    for (const end of ["1", "2", "3"]) limit.consume(createVisitor(`2001:db8:1:2::${end}`));
    expect(catchRefusal(() => limit.consume(createVisitor("2001:db8:1:2:ffff::4")))?.status).toBe(
      429,
    );
    limit.consume(createVisitor("2001:db8:1:3::1"));
  });

  test("allows a /24 or /56 network the calls of four visitors, and a /48 network those of eight", () => {
    const wide = { ...rule, wholeSite: { burst: 1000, perMinute: 1 } };
    const countAccepted = (addressOf: (at: number) => string) => {
      const limit = createLimits(() => 0)(wide);
      const refusals = Array.from({ length: 100 }, (_, at) =>
        catchRefusal(() => limit.consume(createVisitor(addressOf(at)))),
      );
      return refusals.filter((refusal) => refusal === undefined).length;
    };
    expect(countAccepted((at) => `192.0.2.${at}`)).toBe(12);
    expect(countAccepted((at) => `2001:db8:0:${at.toString(16)}::1`)).toBe(12);
    expect(countAccepted((at) => `2001:db8:0:${(at * 256).toString(16)}::1`)).toBe(24);
    expect(countAccepted((at) => `192.0.${at}.1`)).toBe(100);
  });

  test("has a reserve for visitors who have opened a page, and each network has a share of it", () => {
    let now = 0;
    const clock = () => now;
    const visited = createPageViews(clock);
    const limit = createLimits(clock, true, visited)(rule);
    const isAccepted = (address: string) =>
      catchRefusal(() => limit.consume(createVisitor(address))) === undefined;
    for (let at = 0; at < 5; at++) limit.consume(createVisitor(`192.0.${at}.1`));
    for (const network of [1, 2, 3]) visited.recordPageView(`203.0.${network}.1`);
    expect(isAccepted("203.0.1.1")).toBe(false);
    now += 3000;
    for (let at = 0; at < 3; at++) limit.consume(createVisitor(`192.0.${at}.1`));
    const tried = ["203.0.9.1", "203.0.1.1", "203.0.1.2", "203.0.2.9", "203.0.3.1"];
    expect(tried.filter(isAccepted)).toEqual(["203.0.1.1", "203.0.2.9"]);
  });

  test("is shared between instances by its name, in whatever order they create their limits", () => {
    const subscribers: { by: object; topic: string; notify: (payload: Payload) => void }[] = [];
    /** Connects one more instance. The others receive what it publishes. */
    const together = () => {
      const self = {
        publish(topic: string, payload: Payload) {
          for (const each of subscribers)
            if (each.by !== self && each.topic === topic) each.notify(payload);
        },
        subscribe: (topic: string, notify: (payload: Payload) => void) =>
          void subscribers.push({ by: self, topic, notify }),
      };
      return self;
    };
    const clock = () => 0;
    const instance = (...names: string[]) => {
      const channel = together();
      const make = createRateLimitFactory({
        clock,
        isEnabled: true,
        pageViews: createPageViews(clock),
        channel,
      });
      return new Map(names.map((name) => [name, make({ ...rule, name })]));
    };
    const one = instance("letters", "logins");
    const other = instance("logins", "letters");
    for (let at = 0; at < 3; at++) one.get("logins")!.consume(createVisitor("192.0.2.1"));
    const isRefused = (name: string) =>
      catchRefusal(() => other.get(name)!.consume(createVisitor("192.0.2.1"))) !== undefined;
    expect([isRefused("logins"), isRefused("letters")]).toEqual([true, false]);
    expect(() => instance("logins", "logins")).toThrow('two limits are called "logins"');
  });

  test("is off with RATE_LIMIT=off", () => {
    const limit = createLimits(() => 0, false)(rule);
    for (let at = 0; at < 100; at++) limit.consume(createVisitor("192.0.2.1"));
    expect(catchRefusal(() => limit.consume(createVisitor("192.0.2.1")))).toBeUndefined();
  });

  test("forgets the oldest of 10,000 visitors", () => {
    const wide = {
      name: "tests",
      perVisitor: { burst: 1, perMinute: 0.001 },
      wholeSite: { burst: 1e9, perMinute: 1 },
      reserve,
    };
    const limit = createLimits(() => 0)(wide);
    limit.consume(createVisitor("first"));
    for (let at = 0; at < 10_000; at++) limit.consume(createVisitor(`visitor ${at}`));
    expect(catchRefusal(() => limit.consume(createVisitor("visitor 9999")))?.status).toBe(429);
    expect(catchRefusal(() => limit.consume(createVisitor("first")))).toBeUndefined();
  });
});

test("one IP address can send at most 32 request bodies at once", () => {
  const begin = createConcurrencyLimit();
  const ends = Array.from({ length: 32 }, () => begin("192.0.2.1"));
  expect(catchRefusal(() => begin("192.0.2.1"))?.status).toBe(429);
  begin("192.0.2.2")();
  ends[0]!();
  begin("192.0.2.1");
  expect(catchRefusal(() => begin("192.0.2.1"))?.status).toBe(429);
});

describe("a visitor's IP address", () => {
  test("is the socket's address, unless a trusted proxy names another address", () => {
    const direct = createClientAddressLookup(createAddressMatcher([]));
    expect(direct("192.0.2.1", "203.0.113.9")).toBe("192.0.2.1");
    const proxied = createClientAddressLookup(
      createAddressMatcher(["127.0.0.1", "10.0.0.0/8", "2001:db8::/32"]),
    );
    expect(proxied("192.0.2.1", "203.0.113.9")).toBe("192.0.2.1");
    expect(proxied("127.0.0.1", "203.0.113.9")).toBe("203.0.113.9");
    expect(proxied("::ffff:127.0.0.1", "203.0.113.9")).toBe("203.0.113.9");
    expect(proxied("2001:db8::1", "2001:db9::1")).toBe("2001:db9::1");
    expect(proxied("127.0.0.1", null)).toBe("127.0.0.1");
  });

  test.each([
    ["203.0.113.9:50123", "203.0.113.9"],
    ["[2001:db8::9]:50123", "2001:db8::9"],
    ["[2001:db8::9]", "2001:db8::9"],
    ["2001:db8::9", "2001:db8::9"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["1.1.1.1, 203.0.113.9:50123, 10.1.2.3:80", "203.0.113.9"],
    ["203.0.113.9:", "127.0.0.1"],
    ["unknown", "127.0.0.1"],
    ["for=203.0.113.9", "127.0.0.1"],
  ])("in the header X-Forwarded-For: %p is read as %p", (header, address) => {
    const proxied = createClientAddressLookup(createAddressMatcher(["127.0.0.1", "10.0.0.0/8"]));
    expect(proxied("127.0.0.1", header)).toBe(address);
  });

  test("is read from the right end of X-Forwarded-For, so that a forged start has no effect", () => {
    const proxied = createClientAddressLookup(createAddressMatcher(["127.0.0.1", "10.0.0.0/8"]));
    expect(proxied("127.0.0.1", "1.1.1.1, 203.0.113.9, 10.1.2.3")).toBe("203.0.113.9");
    expect(proxied("127.0.0.1", "1.1.1.1, nonsense")).toBe("127.0.0.1");
  });

  test("is counted by its /64 network if it is IPv6", () => {
    expect(createRateLimitKey("192.0.2.1")).toBe("192.0.2.1");
    for (const address of ["2001:db8::1", "2001:db8:0:0:ffff::", "2001:0db8:0000:0:1:2:3:4"])
      expect(createRateLimitKey(address)).toBe("2001:db8:0:0::/64");
    expect(createRateLimitKey("::1")).toBe("0:0:0:0::/64");
    expect(createRateLimitKey("fe80::1%eth0")).toBe("fe80:0:0:0::/64");
  });
});
