/** Who is logged in: a record per session on the server, so that ending one is final. */
import type { CurrentUser } from "../../schema/accounts.ts";
import { entities, type Item } from "../../schema/index.ts";
import { shortAddress, type Visitor } from "../http/visitor.ts";
import { BoundedMap } from "../shared/bounded.ts";
import type { Clock } from "../shared/clock.ts";
import { DAY, HOUR, MINUTE, timeOf } from "../shared/time.ts";
import { noSession } from "../shared/errors.ts";
import type { Document, Store } from "../storage/store.ts";
import { cookieName, type SessionUser } from "./guard.ts";
import { owesSecondFactor } from "./secondFactor.ts";

/** Without a request for this long a session ends. */
const IDLE_LIMIT = 8 * HOUR;

/** A session ends after this, however busy. */
const SESSION_LIMIT = 7 * DAY;

/**
 * A session that was used later than now is of a clock that was wrong, and would last for as long as that
 * was ahead; whose it is logs in again. In milliseconds; a clock that is put right by less is believed.
 */
const CLOCK_MAY_SLIP = 5 * MINUTE;

/** `lastSeenAt` is written at most this often. */
const SEEN_INTERVAL = 5 * MINUTE;

/** The schema's limit. The oldest sessions go first. */
const MAX_SESSIONS = 1000;

type User = Item<"users">;

type Session = Item<"sessions">;

export interface Sessions {
  /** Starts one; returns its id and its token. */
  start(user: User, visitor: Visitor): Promise<{ id: string; token: string }>;
  /** Who is behind a token; undefined when it is not valid, its session over or its user gone. */
  userOf(token: string): Promise<SessionUser | undefined>;
  /**
   * Throws a 401 where a session has ended since its call began: a body can come slowly, and what it brings must
   * not outlast the rights it was sent with.
   */
  requireRunning(user: SessionUser): void;
  end(sessionId: string): Promise<void>;
  /** Ends the user's sessions but the one named; all of them without a name. */
  endOthers(userId: string, sessionId?: string): Promise<void>;
  /** The user's running sessions, latest first. */
  list(userId: string): Session[];
}

/** Sessions in the `sessions` document of the store. */
export function sessions(store: Store, tokens: SessionTokens, clock: Clock): Sessions {
  const document = store.of(entities.sessions);
  const users = store.of(entities.users);
  const seen = lastSeen(document, clock);
  const isRunning = (session: Session) => {
    const idle = clock() - seen.at(session);
    return clock() < timeOf(session.expiresAt) && idle < IDLE_LIMIT && idle > -CLOCK_MAY_SLIP;
  };
  const keep = async (which: (session: Session) => boolean) => {
    await document.update((all) => (all.every(which) ? all : all.filter(which)));
  };

  return {
    async start(user, visitor) {
      const session = newSession(user.id, visitor, clock());
      await document.update((all) => [...all.filter(isRunning), session].slice(-MAX_SESSIONS));
      const claims = { sessionId: session.id, userId: user.id };
      const token = await tokens.sign(claims, timeOf(session.expiresAt));
      return { id: session.id, token };
    },
    async userOf(token) {
      const claims = await tokens.read(token);
      const session = claims && document.read().value.find(({ id }) => id === claims.sessionId);
      if (!session || session.userId !== claims.userId || !isRunning(session)) return undefined;
      const user = users.read().value.find(({ id }) => id === session.userId);
      if (!user) return undefined;
      await seen.now(session);
      return sessionUser(store, user, session);
    },
    requireRunning({ sessionId }) {
      const session = document.read().value.find(({ id }) => id === sessionId);
      if (!session || !isRunning(session)) throw noSession();
    },
    end: (sessionId) => keep(({ id }) => id !== sessionId),
    endOthers: (userId, sessionId) =>
      keep((session) => session.userId !== userId || session.id === sessionId),
    list: (userId) =>
      document
        .read()
        .value.filter((session) => session.userId === userId && isRunning(session))
        .toReversed(),
  };
}

const moment = (at: number) => new Date(at).toISOString();

function newSession(userId: string, visitor: Visitor, now: number): Session {
  return {
    id: Bun.randomUUIDv7(),
    userId,
    createdAt: moment(now),
    lastSeenAt: moment(now),
    expiresAt: moment(now + SESSION_LIMIT),
    userAgent: visitor.userAgent,
    address: shortAddress(visitor.address),
  };
}

function sessionUser(store: Store, user: User, session: Session): SessionUser {
  const loggedInAt = timeOf(session.createdAt);
  return { ...currentUser(store, user), userId: user.id, sessionId: session.id, loggedInAt };
}

/** What is told of a user (specification, section 3, "Current user"). */
export function currentUser(store: Store, user: User): CurrentUser {
  const { username, email, role } = user;
  return {
    username,
    email,
    role,
    ...(owesSecondFactor(store, user) && { owesSecondFactor: true }),
  };
}

/** Idle time is exact in memory; the disk is told now and then. */
function lastSeen(document: Document<Session[]>, clock: Clock) {
  const moments = new BoundedMap<string, number>(2 * MAX_SESSIONS);
  const stored = (session: Session) => timeOf(session.lastSeenAt);
  return {
    at: (session: Session) => Math.max(moments.get(session.id) ?? 0, stored(session)),
    async now(session: Session) {
      const now = clock();
      moments.set(session.id, now);
      if (now - stored(session) < SEEN_INTERVAL) return;
      const lastSeenAt = moment(now);
      const touch = (each: Session) => (each.id === session.id ? { ...each, lastSeenAt } : each);
      // A full disk must not log the owner out: the moment is in memory, and is written later.
      await document.update((all) => all.map(touch)).catch(() => {});
    },
  };
}

interface TokenClaims {
  readonly sessionId: string;
  readonly userId: string;
}

interface SessionTokens {
  /** `expiresAt` in milliseconds since 1970. */
  sign(claims: TokenClaims, expiresAt: number): Promise<string>;
  /** Undefined for every token that is not ours, not HS256, incomplete or over. */
  read(token: string): Promise<TokenClaims | undefined>;
}

const ISSUER = "limelight";

const AUDIENCE = "limelight-dashboard";

/** Tokens under the site's secret of 256 bits. */
export function sessionTokens(secret: Uint8Array, clock: Clock): SessionTokens {
  let plugin: ReturnType<typeof load> | undefined;
  const signer = () => (plugin ??= load(secret));
  return {
    async sign({ sessionId, userId }, expiresAt) {
      const { tokens } = await signer();
      return tokens.sign({ jti: sessionId, sub: userId, exp: Math.floor(expiresAt / 1000) });
    },
    async read(token) {
      const { tokens } = await signer();
      const claims = await tokens.verify(token, {
        algorithms: ["HS256"],
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ["exp", "iss", "aud", "jti", "sub"],
        currentDate: new Date(clock()),
      });
      if (!claims || !claims.jti || !claims.sub) return undefined;
      return { sessionId: claims.jti, userId: claims.sub };
    },
  };
}

/** Loaded with the first login, not with the program: no visitor's first page waits for it. */
async function load(secret: Uint8Array) {
  const { jwt } = await import("@elysiajs/jwt");
  return jwt({ name: "tokens", secret, alg: "HS256", iss: ISSUER, aud: AUDIENCE }).decorator;
}

/** The headers of a response, as Elysia's `set` holds them. */
export interface ResponseHeaders {
  headers: Record<string, unknown>;
}

export interface SessionCookie {
  /** `known` is the Set-Cookie of `KnownBrowsers`, which travels with it. */
  set(response: ResponseHeaders, token: string, known: string): void;
  clear(response: ResponseHeaders): void;
}

/**
 * `https`: whether the public address uses https, since browsers refuse Secure cookies without it.
 * The header is written here because Elysia only sets cookies after finding the word in a
 * function's source.
 */
export function sessionCookie(https: boolean): SessionCookie {
  const flags = { httpOnly: true, sameSite: "lax", path: "/", secure: https } as const;
  const cookie = (value: string, maxAge: number) =>
    new Bun.Cookie(cookieName(https), value, { ...flags, maxAge }).serialize();
  return {
    set({ headers }, token, known) {
      headers["set-cookie"] = [cookie(token, SESSION_LIMIT / 1000), known];
    },
    clear({ headers }) {
      headers["set-cookie"] = cookie("", 0);
    },
  };
}
