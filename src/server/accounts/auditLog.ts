/** The audit log: who did what, when and from where. Entries are written in the background. */
import { cutText, toSearchText } from "../../schema/core/boundedUnicode.ts";
import type { AuditKind } from "../../schema/people/audit.ts";
import { entities, type Item } from "../../schema/index.ts";
import { describeBrowser, maskAddress, type Visitor } from "../http/visitor.ts";
import { type Clock, getTimestamp } from "../shared/clock.ts";
import {
  type HandleOf,
  type Page,
  readSearchPage,
  type Store,
  type Transaction,
} from "../storage/store.ts";
import { DAY, HOUR, MINUTE } from "../shared/time.ts";

type AuditEntry = Item<"auditLog">;

/** An event to record. `action` continues a sentence that begins with the user's name: "changed Hero: Subtitle". */
interface AuditEvent {
  readonly kind: AuditKind;
  readonly action: string;
  /** The entry's second line, such as "1 submission, 1 subscription". */
  readonly detail?: string | undefined;
  /** The user who acted. Default: the site itself. */
  readonly actor?: { readonly username: string; readonly userId: string | null } | undefined;
  readonly visitor?: Visitor | undefined;
  /** The name of the browser that a login came from (see deviceCookies.ts). */
  readonly device?: string | undefined;
  /** True for a refused action. Its entries are limited per hour, because a user can repeat it endlessly. */
  readonly isRefusal?: boolean | undefined;
  readonly id?: string | undefined;
}

/** Records an event that has happened. The guard adds the user and the address. */
export type LogAudit = (kind: AuditKind, action: string, detail?: string) => void;

export interface AuditQuery {
  readonly kind: AuditKind | undefined;
  /** The text to search for, ignoring case; undefined matches every entry. */
  readonly search: string | undefined;
  readonly offset: number;
  readonly limit: number;
}

interface AuditOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** The clock for deleting old entries. Default: `clock`. */
  readonly trustedClock?: Clock | undefined;
  readonly log: (line: string) => void;
  /** Called with each entry's line for the program's log. */
  readonly onEntry?: (line: string) => void;
}

const SITE_ACTOR = { username: "The site", userId: null } as const;

/** Repetitions of an event within this time, such as saves while typing, are counted in one entry. */
const MERGE_WINDOW_MS = 10 * MINUTE;
/** Beyond this number, the oldest entries are deleted. */
const MAX_ENTRIES = 10_000;
const RETENTION_MS = 365 * DAY;
/** These events can be repeated endlessly. Each kind has its own limit, so that it can't displace other entries. */
const UNBOUNDED_KINDS = ["failedLogin", "login"] as const satisfies readonly AuditKind[];
const MAX_UNBOUNDED_ENTRIES = 2_500;
const ENTRIES_BETWEEN_TRIMS = 200;
/** Above this number in an hour, failed logins are counted in one entry, and refused actions in another. */
const MAX_FAILURES_PER_HOUR = 20;
/** Longer texts of an entry are cut to this number of characters. */
const MAX_TEXT_LENGTH = 300;

export class AuditLog {
  readonly #options: AuditOptions;
  readonly #entries: HandleOf<typeof entities.auditLog>;
  readonly #recentEntries: ReturnType<typeof createRecentEntries>;
  #pendingWrites: (() => Promise<unknown>)[] = [];
  #runningWrite: Promise<void> | undefined;
  #insertedCount = 0;

  constructor(options: AuditOptions) {
    this.#options = options;
    this.#entries = options.store.of(entities.auditLog);
    this.#recentEntries = createRecentEntries(options.clock);
  }

  /** Records an event in the background; never throws. The texts must contain no secrets and nothing about visitors. */
  record(event: AuditEvent): void {
    const entry = createEntry(event, this.#options.clock);
    const isRateLimited = event.isRefusal === true || entry.kind === "failedLogin";
    const repeatedEntry = this.#recentEntries.countRepetition(entry, isRateLimited);
    if (repeatedEntry) {
      const repetition = { at: entry.at, count: repeatedEntry.count };
      this.#write(() =>
        this.#entries.update(repeatedEntry.id, (stored) => ({ ...stored, ...repetition })),
      );
      return;
    }
    this.#options.onEntry?.(formatLogLine(entry));
    const shouldTrim = ++this.#insertedCount % ENTRIES_BETWEEN_TRIMS === 1;
    this.#write(async () => {
      await this.#entries.insert(entry);
      if (shouldTrim) await this.#trim();
    });
  }

  /** Records a failed login, without the typed name, because people type passwords into the username field. */
  recordFailedLogin(
    action: string,
    user: { readonly id: string; readonly username: string } | undefined,
    visitor: Visitor,
  ): void {
    const detail = user ? `For ${user.username}` : "For an unknown account";
    const actor = { username: "Unknown user", userId: user?.id ?? null };
    this.record({ kind: "failedLogin", action, detail, actor, visitor });
  }

  /**
   * Records an event in a transaction, replacing an entry with the same id. Returns a function that writes the entry to
   * the program's log; call it only after the transaction is stored.
   */
  async recordInTransaction(transaction: Transaction, event: AuditEvent): Promise<() => void> {
    const list = transaction.of(entities.auditLog);
    const entry = createEntry(event, this.#options.clock);
    if (!(await list.update(entry.id, () => entry))) await list.insert(entry);
    return () => this.#options.onEntry?.(formatLogLine(entry));
  }

  list({ kind, search, offset, limit }: AuditQuery): Promise<Page<AuditEntry>> {
    const where = kind === undefined ? {} : { kind };
    const request = { where, newestFirst: true, offset, limit };
    if (search === undefined) return this.#entries.readPage(request);
    const searchText = toSearchText(search);
    return readSearchPage(
      this.#entries,
      (entry) => createSearchableText(entry).includes(searchText),
      request,
    );
  }

  /** Returns up to 20 logins after `since` (ISO 8601) from browsers that the user hadn't used before, newest first. */
  async findLoginsFromNewBrowsers(userId: string, since: string): Promise<AuditEntry[]> {
    const { items } = await this.#entries.readPage({
      where: { kind: "login", userId },
      newestFirst: true,
      offset: 0,
      limit: MAX_LOGINS_CHECKED,
    });
    const isBefore = ({ at }: AuditEntry) => (at ?? "") <= since;
    const earlierDevices = new Set(items.filter(isBefore).map(({ device }) => device));
    const newLogins = items.filter(
      (entry) => !isBefore(entry) && !earlierDevices.has(entry.device || UNRECOGNIZED_DEVICE),
    );
    return newLogins.filter(isFirstLoginOfDevice).slice(0, 20);
  }

  /** Redacts entries, except those about accounts: an owner could otherwise alter them by erasing a user's address. */
  async redact(transaction: Transaction, redactText: (text: string) => string): Promise<void> {
    await transaction.of(entities.auditLog).updateWhere({}, (entry) => {
      if (entry.kind === "people") return entry;
      const [action = "", detail = ""] = [entry.what, entry.detail].map(redactText);
      const isUnchanged = action === entry.what && detail === entry.detail;
      return isUnchanged ? entry : { ...entry, what: action, detail };
    });
  }

  async whenFlushed(): Promise<void> {
    await this.#runningWrite;
  }

  #write(write: () => Promise<unknown>): void {
    this.#pendingWrites.push(write);
    this.#runningWrite ??= this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    while (this.#pendingWrites.length > 0) {
      const writes = this.#pendingWrites;
      this.#pendingWrites = [];
      const logFailure = () => this.#options.log(NOT_WRITTEN_MESSAGE);
      await Promise.all(writes.map((write) => write().catch(logFailure)));
    }
    this.#runningWrite = undefined;
  }

  async #trim(): Promise<void> {
    const { clock, trustedClock = clock } = this.#options;
    const before = new Date(trustedClock() - RETENTION_MS).toISOString();
    await this.#entries.deleteWhere([{ at: { before } }]);
    await Promise.all(UNBOUNDED_KINDS.map((kind) => this.#trimTo(MAX_UNBOUNDED_ENTRIES, kind)));
    await this.#trimTo(MAX_ENTRIES);
  }

  async #trimTo(max: number, kind?: AuditKind): Promise<void> {
    const ids = await this.#entries.readKeys(kind && { kind });
    const oldest = ids.slice(0, Math.max(0, ids.length - max)).map(({ id }) => id);
    if (oldest.length > 0) await this.#entries.deleteWhere([{ id: { oneOf: new Set(oldest) } }]);
  }
}

const MAX_LOGINS_CHECKED = 500;

/** Equals no browser's name, so that a login without a browser name counts as one from a new browser. */
const UNRECOGNIZED_DEVICE = "never";

const isFirstLoginOfDevice = (
  entry: AuditEntry,
  index: number,
  all: readonly AuditEntry[],
): boolean => !entry.device || all.findIndex(({ device }) => device === entry.device) === index;

/** Formats an entry for the program's log. Omits email addresses, because an erasure can't remove them from the log. */
const formatLogLine = ({ id, kind, userId, what }: AuditEntry) =>
  `audit ${id} ${kind} ${userId ?? "-"} ${what.replaceAll(EMAIL_PATTERN, "(address)")}`;

const EMAIL_PATTERN = /(?<!\S)\S+@\S+/g;

const NOT_WRITTEN_MESSAGE = "An entry of the activity log couldn't be written.";

function createEntry(
  { kind, action, detail = "", actor = SITE_ACTOR, visitor, device = "", id }: AuditEvent,
  clock: Clock,
) {
  return {
    id: id ?? Bun.randomUUIDv7(),
    at: getTimestamp(clock),
    kind,
    who: cutText(actor.username, MAX_TEXT_LENGTH),
    userId: actor.userId,
    what: cutText(action, MAX_TEXT_LENGTH),
    detail: cutText(detail, MAX_TEXT_LENGTH),
    count: 1,
    device,
    address: visitor ? maskAddress(visitor.address) : null,
    browser: visitor ? describeBrowser(visitor.userAgent) : null,
  } satisfies AuditEntry;
}

const createSearchableText = ({ who, what, detail, browser }: AuditEntry) =>
  toSearchText(`${who} ${what} ${detail} ${browser ?? ""}`);

function createRecentEntries(clock: Clock) {
  const recentByKey = new Map<string, { id: string; since: number; count: number }>();
  const countsByKind = new Map<AuditKind, { since: number; count: number }>();
  return {
    countRepetition(
      entry: AuditEntry,
      isRateLimited: boolean,
    ): { id: string; count: number } | undefined {
      if (entry.kind === "login") return undefined;
      const now = clock();
      for (const [key, { since }] of recentByKey)
        if (now - since >= MERGE_WINDOW_MS) recentByKey.delete(key);
      const key = createMergeKey(entry, isRateLimited, now);
      const match = recentByKey.get(key);
      if (!match) {
        recentByKey.set(key, { id: entry.id, since: now, count: 1 });
        return undefined;
      }
      match.count++;
      return match;
    },
  };

  function createMergeKey(entry: AuditEntry, isRateLimited: boolean, now: number): string {
    const { kind, who, userId, what, detail, address, browser } = entry;
    const key = [kind, who, userId, what, detail, address, browser].join("\n");
    if (!isRateLimited || recentByKey.has(key)) return key;
    const { since, count } = countsByKind.get(kind) ?? { since: 0, count: 0 };
    const isHourOver = now - since >= HOUR;
    countsByKind.set(kind, isHourOver ? { since: now, count: 1 } : { since, count: count + 1 });
    if (isHourOver || count < MAX_FAILURES_PER_HOUR) return key;
    // Above the limit, all failures of a kind are counted in one entry, which has no address.
    Object.assign(entry, { address: null, browser: null, detail: MANY_ADDRESSES_LABEL });
    return kind;
  }
}

const MANY_ADDRESSES_LABEL = "From many addresses";
