/**
 * The audit log: each event with its user, time and address; written in the background, never delaying the
 * work.
 */
import type { AuditKind } from "../../schema/people/audit.ts";
import { entities, type Item } from "../../schema/index.ts";
import { describeBrowser, maskAddress, type Visitor } from "../http/visitor.ts";
import { type Clock, isoTime } from "../shared/clock.ts";
import {
  type HandleOf,
  type Page,
  readSearchPage,
  type Store,
  type Transaction,
} from "../storage/store.ts";
import { DAY, HOUR, MINUTE } from "../shared/time.ts";

type AuditEntry = Item<"auditLog">;

/** An event. `what` continues a sentence that begins with the name: "changed Hero: Subtitle". */
interface AuditEvent {
  readonly kind: AuditKind;
  readonly action: string;
  /** A second line, such as "1 submission, 1 subscription". */
  readonly detail?: string | undefined;
  /** Default: the site itself. */
  readonly by?: { readonly username: string; readonly userId: string | null } | undefined;
  readonly visitor?: Visitor | undefined;
  /** For a login: the browser's name (see `DeviceCookies`). */
  readonly device?: string | undefined;
  /** Nothing was done, so it could be repeated endlessly: such entries are limited per hour. */
  readonly isRefusal?: boolean | undefined;
  /** Default: a new one. */
  readonly id?: string | undefined;
}

/** Called by routes after an event; the guard adds who and from where. */
export type LogAudit = (kind: AuditKind, action: string, detail?: string) => void;

export interface AuditQuery {
  readonly kind: AuditKind | undefined;
  readonly search: string | undefined;
  readonly offset: number;
  readonly limit: number;
}

interface AuditOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Used to decide what is old; default: the clock. */
  readonly trustedClock?: Clock | undefined;
  readonly log: (line: string) => void;
  /** Called with each entry once, for the program's log; default: nobody. */
  readonly onEntry?: (line: string) => void;
}

const SITE_ACTOR = { username: "The site", userId: null } as const;
export const UNKNOWN_USER = { username: "Unknown user", userId: null } as const;

/** Repetitions within this time count up one entry: saves while typing, guesses. */
const MERGE_WINDOW_MS = 10 * MINUTE;
/** Entries are stored for a year, up to this many. */
const MAX_ENTRIES = 10_000;
const RETENTION_MS = 365 * DAY;
/**
 * Kinds that occur without any change to the site, and the number of each to store, so that they don't displace
 * others.
 */
const UNBOUNDED_KINDS = ["failedLogin", "login"] as const satisfies readonly AuditKind[];
const MAX_UNBOUNDED_ENTRIES = 2_500;
/** The number of entries added between two cuts. */
const ENTRIES_BETWEEN_TRIMS = 200;
/** Failed tries get this many entries an hour; more are counted in one. */
const MAX_FAILURES_PER_HOUR = 20;
const MAX_TEXT_LENGTH = 300;

/** Events are written after the request that they are about. */
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

  /** Never throws or blocks. Must contain no secrets and nothing about visitors. */
  record(noted: AuditEvent): void {
    const entry = createEntry(noted, this.#options.clock);
    const isBounded = noted.isRefusal === true || entry.kind === "failedLogin";
    const recentEntries = this.#recentEntries.find(entry, isBounded);
    if (recentEntries) {
      const repeated = { at: entry.at, count: recentEntries.count };
      this.#write(() =>
        this.#entries.update(recentEntries.id, (stored) => ({ ...stored, ...repeated })),
      );
      return;
    }
    this.#options.onEntry?.(formatLogLine(entry));
    const isTrimmed = ++this.#insertedCount % ENTRIES_BETWEEN_TRIMS === 1;
    this.#write(async () => {
      await this.#entries.insert(entry);
      if (isTrimmed) await this.#trim();
    });
  }

  /**
   * Notes an event in the transaction with the change that it is about, or replaces the entry of this id. Returns what
   * to call once all of it is stored.
   */
  async recordInTransaction(transaction: Transaction, noted: AuditEvent): Promise<() => void> {
    const list = transaction.of(entities.auditLog);
    const entry = createEntry(noted, this.#options.clock);
    if (!(await list.update(entry.id, () => entry))) await list.insert(entry);
    return () => this.#options.onEntry?.(formatLogLine(entry));
  }

  /** Newest first; `search` in lower case. */
  list({ kind, search, offset, limit }: AuditQuery): Promise<Page<AuditEntry>> {
    const where = kind === undefined ? {} : { kind };
    const request = { where, newestFirst: true, offset, limit };
    if (search === undefined) return this.#entries.page(request);
    return readSearchPage(
      this.#entries,
      (entry) => searchableText(entry).includes(search),
      request,
    );
  }

  /**
   * A user's logins after a point in time, from browsers that hadn't logged in before it, newest first: the last one
   * of each browser, and every one of an unknown browser. At most 20.
   */
  async loginsFromNewBrowsers(userId: string, since: string): Promise<AuditEntry[]> {
    const { items } = await this.#entries.page({
      where: { kind: "login", userId },
      newestFirst: true,
      offset: 0,
      limit: MAX_LOGINS_CHECKED,
    });
    const isBefore = ({ at }: AuditEntry) => (at ?? "") <= since;
    const devices = new Set(items.filter(isBefore).map(({ device }) => device));
    const fresh = items.filter(
      (entry) => !isBefore(entry) && !devices.has(entry.device || UNRECOGNIZED_DEVICE),
    );
    return fresh.filter(isFirstLoginOfDevice).slice(0, 20);
  }

  /**
   * Rewrites the entries' details about visitors, for example to remove an erased person's address; part of a
   * transaction. It never changes who did something, or entries about accounts: owners can't remove those by erasing
   * an address.
   */
  async redact(transaction: Transaction, without: (text: string) => string): Promise<void> {
    await transaction.of(entities.auditLog).updateWhere({}, (entry) => {
      if (entry.kind === "people") return entry;
      const [action = "", detail = ""] = [entry.what, entry.detail].map(without);
      const isSame = action === entry.what && detail === entry.detail;
      return isSame ? entry : { ...entry, what: action, detail };
    });
  }

  /** Resolves when all events so far are written. */
  async whenFlushed(): Promise<void> {
    await this.#runningWrite;
  }

  #write(write: () => Promise<unknown>): void {
    this.#pendingWrites.push(write);
    this.#runningWrite ??= this.#writeAll();
  }

  /** In order: a database may number parallel inserts in any order. */
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
    const ids = await this.#entries.keys(kind && { kind });
    const oldest = ids.slice(0, Math.max(0, ids.length - max)).map(({ id }) => id);
    if (oldest.length > 0) await this.#entries.deleteWhere([{ id: { oneOf: new Set(oldest) } }]);
  }
}

/** The number of past logins for which a browser is remembered. */
const MAX_LOGINS_CHECKED = 500;

/** No browser's name: an unknown browser is new each time. */
const UNRECOGNIZED_DEVICE = "never";

const isFirstLoginOfDevice = (entry: AuditEntry, at: number, all: readonly AuditEntry[]): boolean =>
  !entry.device || all.findIndex(({ device }) => device === entry.device) === at;

/**
 * For the program's log, which may be sent elsewhere, where nothing is erased: without email addresses. Repetitions
 * aren't logged, so that nobody can fill it.
 */
const formatLogLine = ({ id, kind, userId, what }: AuditEntry) =>
  `audit ${id} ${kind} ${userId ?? "-"} ${what.replaceAll(EMAIL_PATTERN, "(address)")}`;

const EMAIL_PATTERN = /(?<!\S)\S+@\S+/g;

const NOT_WRITTEN_MESSAGE = "An entry of the activity log couldn't be written.";

function createEntry(
  { kind, action, detail = "", by = SITE_ACTOR, visitor, device = "", id }: AuditEvent,
  clock: Clock,
) {
  return {
    id: id ?? Bun.randomUUIDv7(),
    at: isoTime(clock),
    kind,
    who: by.username.slice(0, MAX_TEXT_LENGTH),
    userId: by.userId,
    what: action.slice(0, MAX_TEXT_LENGTH),
    detail: detail.slice(0, MAX_TEXT_LENGTH),
    count: 1,
    device,
    address: visitor ? maskAddress(visitor.address) : null,
    browser: visitor ? describeBrowser(visitor.userAgent) : null,
  } satisfies AuditEntry;
}

const searchableText = ({ who, what, detail, browser }: AuditEntry) =>
  `${who} ${what} ${detail} ${browser ?? ""}`.toLowerCase();

/** Finds the entry that a new one repeats, and counts it. */
function createRecentEntries(clock: Clock) {
  const open = new Map<string, { id: string; since: number; count: number }>();
  const bounded = new Map<AuditKind, { since: number; count: number }>();
  return {
    find(entry: AuditEntry, isBounded: boolean): { id: string; count: number } | undefined {
      if (entry.kind === "login") return undefined;
      const now = clock();
      for (const [key, { since }] of open) if (now - since >= MERGE_WINDOW_MS) open.delete(key);
      const key = keyOf(entry, isBounded, now);
      const match = open.get(key);
      if (!match) {
        open.set(key, { id: entry.id, since: now, count: 1 });
        return undefined;
      }
      match.count++;
      return match;
    },
  };

  function keyOf(entry: AuditEntry, isBounded: boolean, now: number): string {
    const { kind, who, userId, what, detail, address, browser } = entry;
    const key = [kind, who, userId, what, detail, address, browser].join("\n");
    if (!isBounded || open.has(key)) return key;
    const { since, count } = bounded.get(kind) ?? { since: 0, count: 0 };
    const isOver = now - since >= HOUR;
    bounded.set(kind, isOver ? { since: now, count: 1 } : { since, count: count + 1 });
    if (isOver || count < MAX_FAILURES_PER_HOUR) return key;
    // A distributed flood is only counted.
    Object.assign(entry, { address: null, browser: null, detail: MANY_ADDRESSES_LABEL });
    return kind;
  }
}

const MANY_ADDRESSES_LABEL = "From many addresses";
