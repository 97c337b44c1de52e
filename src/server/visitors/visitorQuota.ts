/** Limits how much disk space visitors may use: per list in total, and per day. */
import { entities } from "../../schema/index.ts";
import { VISITOR_REFUSALS } from "../../schema/core/refusals.ts";
import type { RateLimit, RateLimits } from "../http/limits.ts";
import type { Visitor } from "../http/visitor.ts";
import { conflict, tooManyRequests } from "../shared/errors.ts";
import type { Notice } from "../shared/notice.ts";
import type { Store } from "../storage/store.ts";

const MB = 1024 * 1024;

/** The limits for stored visitor data; the files have copies, so the disk has twice the bytes. */
export const MAX_STORED = {
  formSubmissions: { records: 200_000, bytes: 400 * MB },
  emailSubscriptions: { records: 200_000, bytes: 100 * MB },
} as const;

type VisitorsList = keyof typeof MAX_STORED;

/** Bytes accepted per day: from one address (its networks may send multiples of it), and in total. */
const DAILY_LIMITS = {
  perVisitor: MB,
  wholeSite: 20 * MB,
  reservePerNetwork: MB / 4,
  reserve: 5 * MB,
};

const FULL = {
  formSubmissions: VISITOR_REFUSALS.fullOfMessages,
  emailSubscriptions: VISITOR_REFUSALS.fullOfSubscriptions,
} as const;

const TRY_AGAIN_SECONDS = 3600;
/** The time for which a list's fill level is cached: few records arrive in between. */
const REMEMBERED_MS = 5000;

export interface VisitorQuota {
  /** Whether anything of visitors is stored: not before the site has an owner who could answer. */
  isOpen(): boolean;
  /** Throws a 409 while it isn't. */
  assertOpen(): void;
  /**
   * Counts a record before it is stored. Throws a 429 with Retry-After when the limit is reached: the list is
   * full, or the sender or everybody together has sent enough for a day.
   */
  consume(list: VisitorsList, record: unknown, visitor: Visitor): Promise<void>;
}

/** The space left for visitors in a store, once `isOpen`. */
export function visitorQuota(
  store: Store,
  limits: RateLimits,
  isOpen: () => boolean,
): VisitorQuota {
  const shares = new Map<VisitorsList, { readonly share: number; readonly at: number }>();
  // Querying a database for each enquiry would take longer than storing it.
  const shareOf = async (list: VisitorsList) => {
    const cached = shares.get(list);
    if (cached && performance.now() - cached.at < REMEMBERED_MS) return cached.share;
    const share = await usedShare(store, list);
    shares.set(list, { share, at: performance.now() });
    return share;
  };
  const daily: Record<VisitorsList, RateLimit> = {
    formSubmissions: dailyLimit(limits, "formSubmissions"),
    emailSubscriptions: dailyLimit(limits, "emailSubscriptions"),
  };
  return {
    isOpen,
    assertOpen() {
      if (!isOpen()) throw conflict(VISITOR_REFUSALS.notOpen);
    },
    async consume(list, record, visitor) {
      if ((await shareOf(list)) >= 1) throw tooManyRequests(FULL[list], TRY_AGAIN_SECONDS);
      daily[list].consume(visitor, Buffer.byteLength(JSON.stringify(record)));
    },
  };
}

function dailyLimit(limits: RateLimits, list: VisitorsList): RateLimit {
  return limits({
    name: `${list} in a day`,
    perVisitor: perDay(DAILY_LIMITS.perVisitor),
    wholeSite: perDay(DAILY_LIMITS.wholeSite),
    reserve: {
      perNetwork: perDay(DAILY_LIMITS.reservePerNetwork),
      wholeSite: perDay(DAILY_LIMITS.reserve),
    },
    message: FULL[list],
  });
}

const perDay = (bytes: number) => ({ burst: bytes, perMinute: bytes / (24 * 60) });

/** A list's fill level, from 0 to 1, by records or bytes, whichever is more. */
export async function usedShare(store: Store, list: VisitorsList): Promise<number> {
  const records = store.of(entities[list]);
  const most = MAX_STORED[list];
  const [count, bytes] = await Promise.all([records.count(), records.bytes()]);
  return Math.max(count / most.records, bytes / most.bytes);
}

const WARN_AT_PERCENT = [95, 80, 50] as const;

const SECTION_NAMES: Readonly<Record<VisitorsList, string>> = {
  formSubmissions: "Submissions",
  emailSubscriptions: "Email subscriptions",
};

/** Warns of lists that are half full, and again at 80 and 95 percent. */
export async function quotaNotices(store: Store): Promise<Notice[]> {
  const usages = (Object.keys(MAX_STORED) as VisitorsList[]).map(async (list) => {
    const percent = 100 * (await usedShare(store, list));
    const reached = WARN_AT_PERCENT.find((level) => percent >= level);
    if (reached === undefined) return [];
    const message = `${SECTION_NAMES[list]} use more than ${reached} percent of their storage. Once it is full, no more are accepted. Export and delete those you no longer need.`;
    return [{ code: `room_${list}`, message }];
  });
  return (await Promise.all(usages)).flat();
}
