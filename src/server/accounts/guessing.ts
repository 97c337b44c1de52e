/** How guessing passwords is slowed down, without keeping the owner out. */
import { createHmac, randomBytes } from "node:crypto";
import { networksOf, type Visitor } from "../http/visitor.ts";
import type { Clock } from "../shared/clock.ts";
import { tooManyRequests } from "../shared/errors.ts";
import { type Instances, onlyInstance } from "../shared/instances.ts";
import { isSameText } from "../shared/sameText.ts";

/** Counts the tries of a site. */
export interface LoginThrottle {
  /**
   * Counts a try, as failed until `succeeded` says otherwise, before anything is awaited. Resolves
   * when it may be made; throws a 429 with Retry-After when it may not. `browser` is what a browser
   * is known by: it is counted on its own, and nobody else's tries hold it up.
   */
  attempt(visitor: Visitor, browser?: string): Promise<void>;
  succeeded(visitor: Visitor, browser?: string): void;
}

interface ThrottleOptions {
  readonly clock: Clock;
  /** False with RATE_LIMIT=off. */
  readonly enabled: boolean;
  /** Default: by the system's clock. */
  readonly sleep?: (ms: number) => Promise<void>;
  /** Default: no others. Tries at one are tries at all. */
  readonly instances?: Pick<Instances, "tell" | "hear">;
}

/** How many tries are free, and how far the wait after them doubles. */
interface Patience {
  readonly free: number;
  readonly longestWait: number;
}

const FIRST_WAIT = 2_000;
/** After this long without a try, earlier ones are forgotten. */
const MEMORY = 60 * 60_000;
const MAX_KEPT = 30_000;
const TOO_MANY_TRIES = "Too many tries. Please wait a moment and try again.";

/** Of one address (an IPv6 /64), or of one known browser. */
const OWN: Patience = { free: 5, longestWait: 15 * 60_000 };
/** Of the networks around it, whose other users have done nothing. */
const NETWORK: Patience = { free: 20, longestWait: 60_000 };

/**
 * An address has five free tries, then a wait that doubles up to 15 minutes; its networks have twenty,
 * then up to a minute. A network's wait doesn't hold for the first try from a smaller network inside
 * it, and strangers' tries from everywhere only delay those of other strangers: nobody is kept out
 * by what others do.
 */
export function loginThrottle({
  clock,
  enabled,
  sleep = Bun.sleep,
  instances = onlyInstance,
}: ThrottleOptions): LoginThrottle {
  if (!enabled) return { attempt: async () => {}, succeeded: () => {} };
  const kept = new Map<string, Tries>();
  const strangers = siteDelay();
  const countersOf = ({ address }: Pick<Visitor, "address">, browser?: string) =>
    (browser === undefined ? networksOf(address) : [browser]).map((key) => triesOf(kept, key));
  const succeed = (visitor: Pick<Visitor, "address">, browser?: string) => {
    const [own, ...networks] = countersOf(visitor, browser);
    own!.count = 0;
    for (const network of networks) network.count = Math.max(0, network.count - 1);
    if (browser === undefined) strangers.takeBack();
  };
  instances.hear(TOPIC, ([what, from, known]) => {
    const [address, browser] = [String(from), known === null ? undefined : String(known)];
    if (what === "succeeded") return succeed({ address }, browser);
    for (const tries of countersOf({ address }, browser)) count(tries, clock());
    if (browser === undefined) strangers.add(clock());
  });
  return {
    async attempt(visitor, browser) {
      const now = clock();
      const counters = countersOf(visitor, browser);
      const wait = longestWait(counters, now);
      if (wait > 0) throw tooManyRequests(TOO_MANY_TRIES, wait / 1000);
      for (const tries of counters) count(tries, now);
      instances.tell(TOPIC, ["tried", visitor.address, browser ?? null]);
      if (browser === undefined) await sleep(strangers.add(now));
    },
    succeeded(visitor, browser) {
      succeed(visitor, browser);
      instances.tell(TOPIC, ["succeeded", visitor.address, browser ?? null]);
    },
  };
}

const TOPIC = "logins";

interface Tries {
  count: number;
  last: number;
}

/** The tries of a key, moved to the end of the map so that its start is the longest unseen. */
function triesOf(all: Map<string, Tries>, key: string): Tries {
  const tries = all.get(key) ?? { count: 0, last: 0 };
  all.delete(key);
  all.set(key, tries);
  if (all.size > MAX_KEPT) all.delete(all.keys().next().value!);
  return tries;
}

/** Milliseconds until a try is taken; `counters` from the narrowest to the widest. */
function longestWait(counters: readonly Tries[], now: number): number {
  let longest = 0;
  let isFirst = false;
  for (const [level, tries] of counters.entries()) {
    if (!isFirst) longest = Math.max(longest, waitOf(tries, level === 0 ? OWN : NETWORK, now));
    isFirst = current(tries, now) === 0;
  }
  return longest;
}

function waitOf(tries: Tries, { free, longestWait }: Patience, now: number): number {
  const over = current(tries, now) - free;
  if (over < 0) return 0;
  return tries.last + Math.min(longestWait, FIRST_WAIT * 2 ** Math.min(20, over)) - now;
}

function count(tries: Tries, now: number): void {
  tries.count = current(tries, now) + 1;
  tries.last = now;
}

function current(tries: Tries, now: number): number {
  // A clock that was set back must not lock anybody out until it has caught up.
  tries.last = Math.min(tries.last, now);
  return now - tries.last >= MEMORY ? 0 : tries.count;
}

const UNDELAYED = 20;
const FORGOTTEN_PER_MINUTE = 6;
const DELAY_STEP = 100;
const LONGEST_DELAY = 3_000;

/** How long a stranger's try is delayed: by nothing while few fail, then by up to three seconds. */
function siteDelay() {
  let level = 0;
  let last = 0;
  return {
    add(now: number): number {
      const minutes = Math.max(0, now - last) / 60_000;
      level = Math.max(0, level - minutes * FORGOTTEN_PER_MINUTE) + 1;
      last = now;
      return Math.min(LONGEST_DELAY, Math.max(0, level - UNDELAYED) * DELAY_STEP);
    },
    takeBack(): void {
      level = Math.max(0, level - 1);
    },
  };
}

/** The browsers that somebody has logged in with (OWASP, "device cookie"). */
export interface KnownBrowsers {
  /** What this browser is counted by when `userId` logs in with it; undefined for a stranger's. */
  find(request: Request, userId: string | undefined): string | undefined;
  /** The Set-Cookie by which this browser is known from now on, and a name for it that opens nothing. */
  know(request: Request, userId: string): { readonly cookie: string; readonly device: string };
  /** The name of the browser that a request comes from; undefined for a stranger's. */
  deviceOf(request: Request, userId: string): string | undefined;
}

/** Browsers keep no cookie for longer (RFC 6265bis, section 5.5). */
const KNOWN_SECONDS = 400 * 24 * 3600;

/**
 * Known by a cookie of their own, signed with a key derived from the site's secret, so that they stay
 * known when the program starts anew. It opens nothing, stays at the logout, and only login sees it.
 */
export function knownBrowsers(secret: Uint8Array, https: boolean): KnownBrowsers {
  const name = https ? "__Secure-limelight-browser" : "limelight-browser";
  const sign = (text: string) =>
    createHmac("sha256", secret).update(`known-browser:${text}`).digest("base64url");
  const idOf = ({ headers }: Request, userId: string | undefined) => {
    const sent = new Bun.CookieMap(headers.get("cookie") ?? "").get(name) ?? "";
    const [, id, signature] = /^([\w-]{22})\.([\w-]{43})$/.exec(sent) ?? [];
    if (userId === undefined || id === undefined) return undefined;
    return isSameText(sign(`${id}:${userId}`), signature!) ? id : undefined;
  };
  const nameOf = (id: string) => sign(`name of ${id}`).slice(0, 12);
  return {
    find(request, userId) {
      const id = idOf(request, userId);
      return id === undefined ? undefined : `browser ${id}`;
    },
    deviceOf(request, userId) {
      const id = idOf(request, userId);
      return id === undefined ? undefined : nameOf(id);
    },
    know(request, userId) {
      const id = idOf(request, userId) ?? randomBytes(16).toString("base64url");
      const cookie = new Bun.Cookie(name, `${id}.${sign(`${id}:${userId}`)}`, {
        httpOnly: true,
        sameSite: "strict",
        path: "/api/auth",
        secure: https,
        maxAge: KNOWN_SECONDS,
      });
      return { cookie: cookie.serialize(), device: nameOf(id) };
    },
  };
}
