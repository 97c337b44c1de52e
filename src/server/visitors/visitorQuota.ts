/** Limits how much disk space visitors may use: per list in total, and per day. */
import { entities } from "../../schema/index.ts";
import { VISITOR_REFUSALS } from "../../schema/core/refusals.ts";
import type { RateLimit, RateLimits } from "../http/rateLimits.ts";
import type { Visitor } from "../http/visitor.ts";
import { conflict, tooManyRequests } from "../shared/errors.ts";
import type { Notice } from "../shared/notice.ts";
import type { Store } from "../storage/store.ts";

const MB_BYTES = 1024 * 1024;

/** The limits for stored visitor data; the files have copies, so the disk has twice the bytes. */
export const STORAGE_LIMITS = {
  formSubmissions: { records: 200_000, bytes: 400 * MB_BYTES },
  emailSubscriptions: { records: 200_000, bytes: 100 * MB_BYTES },
} as const;

type VisitorsList = keyof typeof STORAGE_LIMITS;

/** Bytes accepted per day: from one address (its networks may send multiples of it), and in total. */
const DAILY_LIMITS_BYTES = {
  perVisitor: MB_BYTES,
  wholeSite: 20 * MB_BYTES,
  reservePerNetwork: MB_BYTES / 4,
  reserve: 5 * MB_BYTES,
};

const FULL_MESSAGES = {
  formSubmissions: VISITOR_REFUSALS.fullOfMessages,
  emailSubscriptions: VISITOR_REFUSALS.fullOfSubscriptions,
} as const;

const RETRY_AFTER_S = 3600;
/** The time for which a list's fill level is cached: few records arrive in between. */
const USED_SHARE_CACHE_MS = 5000;

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
export function createVisitorQuota(
  store: Store,
  limits: RateLimits,
  isOpen: () => boolean,
): VisitorQuota {
  const shares = new Map<VisitorsList, { readonly share: number; readonly at: number }>();
  // Querying a database for each enquiry would take longer than storing it.
  const shareOf = async (list: VisitorsList) => {
    const cached = shares.get(list);
    if (cached && performance.now() - cached.at < USED_SHARE_CACHE_MS) return cached.share;
    const share = await measureUsedShare(store, list);
    shares.set(list, { share, at: performance.now() });
    return share;
  };
  const daily: Record<VisitorsList, RateLimit> = {
    formSubmissions: createDailyLimit(limits, "formSubmissions"),
    emailSubscriptions: createDailyLimit(limits, "emailSubscriptions"),
  };
  return {
    isOpen,
    assertOpen() {
      if (!isOpen()) throw conflict(VISITOR_REFUSALS.notOpen);
    },
    async consume(list, record, visitor) {
      if ((await shareOf(list)) >= 1) throw tooManyRequests(FULL_MESSAGES[list], RETRY_AFTER_S);
      daily[list].consume(visitor, Buffer.byteLength(JSON.stringify(record)));
    },
  };
}

function createDailyLimit(limits: RateLimits, list: VisitorsList): RateLimit {
  return limits({
    name: `${list} in a day`,
    perVisitor: toDailyRate(DAILY_LIMITS_BYTES.perVisitor),
    wholeSite: toDailyRate(DAILY_LIMITS_BYTES.wholeSite),
    reserve: {
      perNetwork: toDailyRate(DAILY_LIMITS_BYTES.reservePerNetwork),
      wholeSite: toDailyRate(DAILY_LIMITS_BYTES.reserve),
    },
    message: FULL_MESSAGES[list],
  });
}

const toDailyRate = (bytes: number) => ({ burst: bytes, perMinute: bytes / (24 * 60) });

/** A list's fill level, from 0 to 1, by records or bytes, whichever is more. */
export async function measureUsedShare(store: Store, list: VisitorsList): Promise<number> {
  const records = store.of(entities[list]);
  const most = STORAGE_LIMITS[list];
  const [count, bytes] = await Promise.all([records.count(), records.bytes()]);
  return Math.max(count / most.records, bytes / most.bytes);
}

const WARN_AT_PERCENT = [95, 80, 50] as const;

const SECTION_NAMES: Readonly<Record<VisitorsList, string>> = {
  formSubmissions: "Submissions",
  emailSubscriptions: "Email subscriptions",
};

/** Warns of lists that are half full, and again at 80 and 95 percent. */
export async function createQuotaNotices(store: Store): Promise<Notice[]> {
  const usages = (Object.keys(STORAGE_LIMITS) as VisitorsList[]).map(async (list) => {
    const percent = 100 * (await measureUsedShare(store, list));
    const reached = WARN_AT_PERCENT.find((level) => percent >= level);
    if (reached === undefined) return [];
    const message = `${SECTION_NAMES[list]} use more than ${reached} percent of their storage. Once it is full, no more are accepted. Export and delete those you no longer need.`;
    return [{ code: `room_${list}`, message }];
  });
  return (await Promise.all(usages)).flat();
}
