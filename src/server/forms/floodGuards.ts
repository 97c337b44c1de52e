/** How often the enquiry form may be sent (security.md, "Floods on public forms"). */
import type { RateLimits } from "../http/rateLimit.ts";
import { tooManyRequests } from "../http/refusal.ts";
import type { Visitor } from "../http/visitor.ts";
import { type FillingTime, LEAST_FILLING_MS } from "./fillingTime.ts";

/** All raise a 429 with Retry-After. */
export interface FloodGuards {
  /** Counts every call, the refused ones too. */
  attempt(visitor: Visitor): void;
  /** Counts a page that is drawn for one visitor alone: it costs as much as a hundred others. */
  draw(visitor: Visitor): void;
  /** Counts what is about to be stored; `started` is the optional proof of the filling time. */
  admit(visitor: Visitor, started: unknown): void;
}

const WORDS = "Too many messages in a short time. Wait a little and send it again.";
const TOO_QUICK = "That was very quick. Wait a few seconds and send it again.";

/**
 * A call without a proof is never refused for the lack of it, only limited harder: 10 at once, then
 * one a minute. With one it is 20, then two a minute, and a proof too young has to wait.
 */
export function floodGuards(limits: RateLimits, filling: FillingTime): FloodGuards {
  const site = { burst: 300, perMinute: 60 };
  const rule = (burst: number, perMinute: number, wholeSite = site) =>
    limits({ perVisitor: { burst, perMinute }, wholeSite, words: WORDS });
  const attempts = rule(60, 6, { burst: 1000, perMinute: 300 });
  const drawn = limits({
    perVisitor: { burst: 120, perMinute: 60 },
    wholeSite: { burst: 600, perMinute: 600 },
    words: WORDS,
  });
  const unproven = rule(10, 1);
  const proven = rule(20, 2);
  return {
    attempt: (visitor) => attempts.take(visitor),
    draw: (visitor) => drawn.take(visitor),
    admit(visitor, started) {
      const elapsed = filling.elapsed(started);
      if (elapsed !== undefined && elapsed < LEAST_FILLING_MS)
        throw tooManyRequests(TOO_QUICK, (LEAST_FILLING_MS - elapsed) / 1000);
      (elapsed === undefined ? unproven : proven).take(visitor);
    },
  };
}
