/** Limits the storage that visitors may use, in total and per day. Each list has its own limits. */
import { entities } from "../../schema/index.ts";
import { VISITOR_REFUSALS } from "../../schema/core/refusals.ts";
import type { CreateRateLimit } from "../http/rateLimits.ts";
import type { Visitor } from "../http/visitor.ts";
import { conflict, tooManyRequests } from "../shared/errors.ts";
import type { Notice } from "../shared/notice.ts";
import type { Store } from "../storage/store.ts";

const MB_BYTES = 1024 * 1024;

/** The maximum size of each list. Files are stored twice, so the disk needs twice as many bytes. */
export const STORAGE_LIMITS = {
  formSubmissions: { records: 200_000, bytes: 400 * MB_BYTES },
  emailSubscriptions: { records: 200_000, bytes: 100 * MB_BYTES },
} as const;

type VisitorList = keyof typeof STORAGE_LIMITS;

const toDailyRate = (bytes: number) => ({ burst: bytes, perMinute: bytes / (24 * 60) });

/** The bytes accepted in a day: from one visitor, from all, and in reserve for visitors who have viewed a page. */
const DAILY_LIMITS = {
  perVisitor: toDailyRate(MB_BYTES),
  wholeSite: toDailyRate(20 * MB_BYTES),
  reserve: { perNetwork: toDailyRate(MB_BYTES / 4), wholeSite: toDailyRate(5 * MB_BYTES) },
};

const FULL_MESSAGES = {
  formSubmissions: VISITOR_REFUSALS.fullOfMessages,
  emailSubscriptions: VISITOR_REFUSALS.fullOfSubscriptions,
} as const;

const RETRY_AFTER_S = 3600;
/** The time for which a measured fill level is used: too short for many records to arrive. */
const USED_SHARE_CACHE_MS = 5000;

export type VisitorQuota = ReturnType<typeof createVisitorQuota>;

/** Creates the limits. `isOpen` returns false while the site has no owner who can reply. */
export function createVisitorQuota(
  store: Store,
  createRateLimit: CreateRateLimit,
  isOpen: () => boolean,
) {
  const cachedShares = new Map<VisitorList, { readonly share: number; readonly at: number }>();
  // Cached, because measuring a database takes longer than storing an enquiry.
  const getUsedShare = async (listName: VisitorList) => {
    const cached = cachedShares.get(listName);
    if (cached && performance.now() - cached.at < USED_SHARE_CACHE_MS) return cached.share;
    const share = await measureUsedShare(store, listName);
    cachedShares.set(listName, { share, at: performance.now() });
    return share;
  };
  const createDailyLimit = (listName: VisitorList) =>
    createRateLimit({
      name: `${listName} in a day`,
      ...DAILY_LIMITS,
      message: FULL_MESSAGES[listName],
    });
  const dailyLimits = {
    formSubmissions: createDailyLimit("formSubmissions"),
    emailSubscriptions: createDailyLimit("emailSubscriptions"),
  };
  return {
    isOpen,
    /** Throws a 409 if the site doesn't accept what visitors send. */
    assertOpen() {
      if (!isOpen()) throw conflict(VISITOR_REFUSALS.notOpen);
    },
    /** Counts a record before it is stored. Throws a 429 with Retry-After if the list or the daily limit is full. */
    async consume(listName: VisitorList, record: unknown, visitor: Visitor) {
      if ((await getUsedShare(listName)) >= 1)
        throw tooManyRequests(FULL_MESSAGES[listName], RETRY_AFTER_S);
      dailyLimits[listName].consume(visitor, Buffer.byteLength(JSON.stringify(record)));
    },
  };
}

/** Returns how full a list is, by records or bytes, whichever is more. 1 means full. */
export async function measureUsedShare(store: Store, listName: VisitorList): Promise<number> {
  const records = store.of(entities[listName]);
  const limits = STORAGE_LIMITS[listName];
  const [count, bytes] = await Promise.all([records.count(), records.measureBytes()]);
  return Math.max(count / limits.records, bytes / limits.bytes);
}

const WARNING_PERCENTS = [95, 80, 50] as const;

const SECTION_NAMES: Readonly<Record<VisitorList, string>> = {
  formSubmissions: "Submissions",
  emailSubscriptions: "Email subscriptions",
};

/** Returns a notice for each list that is at least 50 percent full. The text changes at 80 and 95 percent. */
export async function createQuotaNotices(store: Store): Promise<Notice[]> {
  const notices = (Object.keys(STORAGE_LIMITS) as VisitorList[]).map(async (list) => {
    const percent = 100 * (await measureUsedShare(store, list));
    const reachedPercent = WARNING_PERCENTS.find((level) => percent >= level);
    if (reachedPercent === undefined) return [];
    const message = `${SECTION_NAMES[list]} use at least ${reachedPercent} percent of their storage. Once the storage is full, no more are accepted. Export and delete those you no longer need.`;
    return [{ code: `room_${list}`, message }];
  });
  return (await Promise.all(notices)).flat();
}
