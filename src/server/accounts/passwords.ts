/**
 * Passwords: which are taken, how they are hashed and compared, and how guessing them is slowed. argon2id
 * with 19 MiB and two rounds (OWASP's password storage advice), at most two at once.
 */
import pLimit from "p-limit";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "../../schema/accounts.ts";
import { tooManyRequests } from "../errors.ts";
import type { Clock } from "../http/clock.ts";
import { limitKey, type Visitor } from "../http/visitor.ts";
import { isCommonPassword } from "./commonPasswords.ts";

/** Turns passwords into what is stored, and compares. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Never throws. Without a hash (an unknown user) it takes as long and returns false. */
  verify(password: string, hash: string | undefined): Promise<boolean>;
}

const ARGON2ID = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;
const AT_ONCE = 2;
/** The hash of 32 random bytes that nobody kept, so no password matches. */
const DECOY =
  "$argon2id$v=19$m=19456,t=2,p=1$UQ3N16Ht43cS5l07nB00BocTBuy3WJJEwviNBd/zNV8$VgdSabVDFmI+5UgIcoxUf4+iImh/YFV8GVfyvD8SsXQ";

/** Makes the one place where a site's passwords are hashed, so that memory stays bounded. */
export function passwords(): Passwords {
  const limited = pLimit(AT_ONCE);
  return {
    hash: (password) => limited(() => Bun.password.hash(normal(password), ARGON2ID)),
    verify: async (password, hash) => {
      const fits = await limited(() =>
        Bun.password.verify(normal(password), hash ?? DECOY).catch(() => false),
      );
      return fits && hash !== undefined;
    },
  };
}

/** Keyboards write the same letter in several ways (Unicode, NFKC). */
const normal = (password: string) => password.normalize("NFKC");

/** The shortest name that a password must not contain: shorter ones occur by chance. */
const MIN_NAME = 4;

/**
 * Why a password is not taken, in a sentence, or undefined when it is. `names` are what others know:
 * username, email address, the site's name.
 */
export function passwordProblem(password: unknown, names: readonly string[]): string | undefined {
  if (typeof password !== "string" || password === "") return "Choose a password.";
  if ([...password].length < MIN_PASSWORD_LENGTH)
    return `Use at least ${MIN_PASSWORD_LENGTH} characters.`;
  if (password.length > MAX_PASSWORD_LENGTH)
    return `Use at most ${MAX_PASSWORD_LENGTH} characters.`;
  if (isCommonPassword(password))
    return "This password is among the first to be guessed. Choose another one.";
  if (namesInside(password, names))
    return "Leave your name, your email address and the site's name out of the password.";
  return undefined;
}

function namesInside(password: string, names: readonly string[]): boolean {
  const lower = password.toLowerCase();
  return names
    .flatMap((name) => [name, name.replace(/@.*$/, ""), name.replace(/\s+/g, "")])
    .map((name) => name.trim().toLowerCase())
    .some((name) => name.length >= MIN_NAME && lower.includes(name));
}

const FREE_TRIES = 5;
const FIRST_WAIT = 2_000;
const LONGEST_WAIT = 15 * 60_000;
/** After this long without a try, earlier ones are forgotten. */
const MEMORY = 60 * 60_000;
const MAX_ADDRESSES = 10_000;
const TOO_MANY_TRIES = "Too many tries. Please wait a moment and try again.";

interface Tries {
  count: number;
  last: number;
}

/** Counts the tries of a site. */
export interface LoginThrottle {
  /** Counts a try, as failed until `succeeded` says otherwise. Throws a 429 with Retry-After. */
  attempt(visitor: Visitor): void;
  succeeded(visitor: Visitor): void;
}

/**
 * Five free tries, then a wait that doubles up to 15 minutes. The whole site's wait doubles with
 * each further address that tries, and every try restarts it. An address that has logged in before
 * isn't held up by others, and one stranger can't hold anybody up for long: otherwise anybody could
 * keep the owner out.
 */
export function loginThrottle(clock: Clock, enabled: boolean): LoginThrottle {
  const byAddress = new Map<string, Tries>();
  const known = new Set<string>();
  const site: Tries = { count: 0, last: 0 };
  if (!enabled) return { attempt: () => {}, succeeded: () => {} };
  return {
    attempt({ address }) {
      const now = clock();
      const key = limitKey(address);
      const own = triesOf(byAddress, key);
      const counted = known.has(key) ? [own] : [own, site];
      const wait = Math.max(...counted.map((tries) => waitOf(tries, now)));
      if (wait > 0) throw tooManyRequests(TOO_MANY_TRIES, wait / 1000);
      count(own, now, 1);
      if (!known.has(key)) count(site, now, own.count === 1 ? 1 : 0);
    },
    succeeded({ address }) {
      const key = limitKey(address);
      if (!known.has(key)) site.count = Math.max(0, site.count - 1);
      byAddress.delete(key);
      known.add(key);
      if (known.size > MAX_ADDRESSES) known.delete(known.values().next().value!);
    },
  };
}

function triesOf(all: Map<string, Tries>, key: string): Tries {
  const tries = all.get(key) ?? { count: 0, last: 0 };
  all.delete(key);
  all.set(key, tries);
  if (all.size > MAX_ADDRESSES) all.delete(all.keys().next().value!);
  return tries;
}

function waitOf(tries: Tries, now: number): number {
  // A clock that was set back must not lock anybody out until it has caught up.
  tries.last = Math.min(tries.last, now);
  const { count, last } = tries;
  if (count < FREE_TRIES || now - last >= MEMORY) return 0;
  const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(20, count - FREE_TRIES));
  return last + wait - now;
}

function count(tries: Tries, now: number, more: number): void {
  tries.count = (now - tries.last >= MEMORY ? 0 : tries.count) + more;
  tries.last = now;
}
