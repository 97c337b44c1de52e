/**
 * Limits the mail that sessions may send to any address. Somebody who hijacks a session, or finds the dashboard open,
 * must not write to hundreds of strangers in the site's name.
 */
import type { Reauthentication, SessionUser } from "../accounts/guard.ts";
import type { RateLimit, CreateRateLimit } from "../http/rateLimits.ts";
import { isRefusal } from "../shared/errors.ts";

export type SessionMailLimits = ReturnType<typeof createSessionMailLimits>;

interface SessionMailLimitsContext {
  readonly createRateLimit: CreateRateLimit;
  readonly reauthentication: Reauthentication;
  readonly listOwnerAddresses: () => readonly string[];
}

const MAX_TESTS_PER_HOUR = 5;
const MAX_REPLIES_PER_HOUR = 10;

export function createSessionMailLimits(context: SessionMailLimitsContext) {
  const { createRateLimit, reauthentication, listOwnerAddresses } = context;
  const testLimit = createHourlyLimit(createRateLimit, "test messages", MAX_TESTS_PER_HOUR);
  const replyLimit = createHourlyLimit(createRateLimit, "replies", MAX_REPLIES_PER_HOUR);
  const isOwnerAddress = (address: string) =>
    listOwnerAddresses().some(
      (ownerAddress) => ownerAddress.toLowerCase() === address.toLowerCase(),
    );
  return {
    /**
     * Checks whether a test message may be sent. An owner's address is always allowed. For others, throws a 403 without
     * a confirmed password, and a 429 from the sixth message in an hour on.
     */
    assertTestAllowed(owner: SessionUser, to: string) {
      if (isOwnerAddress(to)) return;
      reauthentication.require(owner);
      testLimit.consume(ALL_SESSIONS);
    },
    /** Counts a reply to an enquiry. From the eleventh in an hour on, throws a 403 without a confirmed password. */
    assertReplyAllowed(owner: SessionUser) {
      try {
        replyLimit.consume(ALL_SESSIONS);
      } catch (error) {
        if (!isRefusal(error, "too_many_requests")) throw error;
        reauthentication.require(owner);
      }
    },
  };
}

/** All sessions count as one visitor, so they share the limits. */
const ALL_SESSIONS = { address: "sessions", userAgent: null };

function createHourlyLimit(
  createRateLimit: CreateRateLimit,
  name: string,
  maxPerHour: number,
): RateLimit {
  const rate = { burst: maxPerHour, perMinute: maxPerHour / 60 };
  const reserve = { perNetwork: rate, wholeSite: rate };
  return createRateLimit({
    name,
    perVisitor: rate,
    wholeSite: rate,
    reserve,
    message: TOO_MANY_TESTS_MESSAGE,
  });
}

const TOO_MANY_TESTS_MESSAGE =
  "Only five test emails an hour can go to addresses other than an owner's. Send the test to yourself, or try again later.";
