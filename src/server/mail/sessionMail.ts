/**
 * Limits the mail a session may send to any address: whoever hijacks one, or finds the dashboard open, must not write
 * to strangers by the hundred in the site's name.
 */
import type { Proof, SessionUser } from "../accounts/guard.ts";
import type { RateLimit, RateLimits } from "../http/limits.ts";
import { isRefusal } from "../shared/errors.ts";

export type SessionMail = ReturnType<typeof sessionMail>;

interface SessionMailContext {
  readonly rateLimit: RateLimits;
  readonly proof: Proof;
  readonly owners: () => readonly string[];
}

const TESTS_AN_HOUR = 5;
const REPLIES_AN_HOUR = 10;

export function sessionMail({ rateLimit, proof, owners }: SessionMailContext) {
  const tests = perHour(rateLimit, "test messages", TESTS_AN_HOUR);
  const replies = perHour(rateLimit, "replies", REPLIES_AN_HOUR);
  const isOwners = (address: string) =>
    owners().some((own) => own.toLowerCase() === address.toLowerCase());
  return {
    /** A test: always to an owner's address, to others with a proof. Throws 403; 429 for the sixth in an hour. */
    test(owner: SessionUser, to: string) {
      if (isOwners(to)) return;
      proof.require(owner);
      tests.consume(WHOLE_SITE);
    },
    /** A reply to an enquiry: with a proof from the eleventh in an hour. Throws 403. */
    reply(owner: SessionUser) {
      try {
        replies.consume(WHOLE_SITE);
      } catch (error) {
        if (!isRefusal(error, "too_many_requests")) throw error;
        proof.require(owner);
      }
    },
  };
}

/** Counts all sessions together, wherever they are. */
const WHOLE_SITE = { address: "sessions", userAgent: null };

function perHour(limits: RateLimits, name: string, most: number): RateLimit {
  const rate = { burst: most, perMinute: most / 60 };
  const reserve = { perNetwork: rate, wholeSite: rate };
  return limits({ name, perVisitor: rate, wholeSite: rate, reserve, message: TOO_MANY });
}

const TOO_MANY =
  "You can send five tests an hour to addresses other than an owner's. Send it to yourself, or try again later.";
