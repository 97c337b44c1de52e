/** Login sessions. The server stores a record of each session; deleting the record ends the session at once. */
import type { CurrentUser } from "../../schema/people/accounts.ts";
import { entities, type Item } from "../../schema/index.ts";
import { getCookie } from "../http/cookies.ts";
import { maskAddress, type Visitor } from "../http/visitor.ts";
import { BoundedMap } from "../shared/boundedMap.ts";
import type { Clock } from "../shared/clock.ts";
import { DAY, HOUR, MINUTE, parseTimestamp } from "../shared/time.ts";
import { noSession } from "../shared/errors.ts";
import type { Document, Store } from "../storage/store.ts";
import { getSessionCookieName, type SessionUser } from "./guard.ts";
import { isSecondFactorSetupRequired } from "./secondFactor.ts";
import type { User } from "./users.ts";

const IDLE_LIMIT_MS = 8 * HOUR;

/** A session ends after this time, even if it is in use. */
const SESSION_LIMIT_MS = 7 * DAY;

/** A session ends if its last use is further in the future than this, as after a wrong clock was corrected. */
const MAX_CLOCK_SKEW_MS = 5 * MINUTE;

/** The shortest time between two writes of a session's `lastSeenAt`. */
const LAST_SEEN_INTERVAL_MS = 5 * MINUTE;

/** Beyond this number, a new session ends the oldest one. */
const MAX_SESSIONS = entities.sessions.maxItems;

type Session = Item<"sessions">;

export function createSessions(store: Store, tokens: SessionTokens, clock: Clock) {
  const document = store.of(entities.sessions);
  const users = store.of(entities.users);
  const lastSeenTimes = createLastSeenTimes(document, clock);
  const isActive = (session: Session) => {
    const idleMs = clock() - lastSeenTimes.getTime(session);
    return (
      clock() < parseTimestamp(session.expiresAt) &&
      idleMs < IDLE_LIMIT_MS &&
      idleMs > -MAX_CLOCK_SKEW_MS
    );
  };
  const retainSessions = async (shouldRetain: (session: Session) => boolean) => {
    await document.update((all) => (all.every(shouldRetain) ? all : all.filter(shouldRetain)));
  };

  return {
    async start(user: User, visitor: Visitor) {
      const session = createSession(user.id, visitor, clock());
      await document.update((all) => [...all.filter(isActive), session].slice(-MAX_SESSIONS));
      const token = await tokens.sign(session.id, user.id, parseTimestamp(session.expiresAt));
      return { id: session.id, token };
    },
    /** Returns a token's user; undefined if the token is invalid, its session has ended or its user was deleted. */
    async findUser(token: string) {
      const claims = await tokens.read(token);
      const session = claims && document.read().value.find(({ id }) => id === claims.sessionId);
      if (!session || session.userId !== claims.userId || !isActive(session)) return undefined;
      const user = users.read().value.find(({ id }) => id === session.userId);
      if (!user) return undefined;
      await lastSeenTimes.recordUse(session);
      return toSessionUser(store, user, session);
    },
    /** Throws a 401 if the session has ended meanwhile, because a slow body must not be processed after a logout. */
    assertActive({ sessionId }: SessionUser) {
      const session = document.read().value.find(({ id }) => id === sessionId);
      if (!session || !isActive(session)) throw noSession();
    },
    end: (sessionId: string) => retainSessions(({ id }) => id !== sessionId),
    /** Ends the user's sessions, except the session `sessionId`. */
    endOthers: (userId: string, sessionId?: string) =>
      retainSessions((session) => session.userId !== userId || session.id === sessionId),
    /** Returns the user's active sessions, newest first. */
    list: (userId: string) =>
      document
        .read()
        .value.filter((session) => session.userId === userId && isActive(session))
        .toReversed(),
  };
}

const formatTimestamp = (at: number) => new Date(at).toISOString();

function createSession(userId: string, visitor: Visitor, now: number): Session {
  return {
    id: Bun.randomUUIDv7(),
    userId,
    createdAt: formatTimestamp(now),
    lastSeenAt: formatTimestamp(now),
    expiresAt: formatTimestamp(now + SESSION_LIMIT_MS),
    userAgent: visitor.userAgent,
    address: maskAddress(visitor.address),
  };
}

function toSessionUser(store: Store, user: User, session: Session): SessionUser {
  const loggedInAt = parseTimestamp(session.createdAt);
  return { ...toCurrentUser(store, user), userId: user.id, sessionId: session.id, loggedInAt };
}

/** Returns the user's data that the dashboard shows (specification, section 3, "Current user"). */
export function toCurrentUser(store: Store, user: User): CurrentUser {
  const { username, email, role } = user;
  return {
    username,
    email,
    role,
    ...(isSecondFactorSetupRequired(store, user) && { owesSecondFactor: true }),
  };
}

/** Tracks when sessions were last used: exactly in memory, and every few minutes on disk. */
function createLastSeenTimes(document: Document<Session[]>, clock: Clock) {
  const lastSeenById = new BoundedMap<string, number>(2 * MAX_SESSIONS);
  const getStoredTime = (session: Session) => parseTimestamp(session.lastSeenAt);
  return {
    getTime: (session: Session) =>
      Math.max(lastSeenById.get(session.id) ?? 0, getStoredTime(session)),
    async recordUse(session: Session) {
      const now = clock();
      lastSeenById.set(session.id, now);
      if (now - getStoredTime(session) < LAST_SEEN_INTERVAL_MS) return;
      const lastSeenAt = formatTimestamp(now);
      const touch = (each: Session) => (each.id === session.id ? { ...each, lastSeenAt } : each);
      // Ignores a failed write, because a full disk must not log the user out. A later request writes the time.
      await document.update((all) => all.map(touch)).catch(() => {});
    },
  };
}

type SessionTokens = ReturnType<typeof createSessionTokens>;

const TOKEN_ISSUER = "limelight";

const TOKEN_AUDIENCE = "limelight-dashboard";

export function createSessionTokens(secret: Uint8Array, clock: Clock) {
  let jwtPromise: ReturnType<typeof loadJwt> | undefined;
  const loadSigner = () => (jwtPromise ??= loadJwt(secret));
  return {
    /** `expiresAt` is in milliseconds since 1970. */
    async sign(sessionId: string, userId: string, expiresAt: number) {
      const { tokens } = await loadSigner();
      return tokens.sign({ jti: sessionId, sub: userId, exp: Math.floor(expiresAt / 1000) });
    },
    /** Returns a token's claims; undefined if it has expired, lacks a claim, isn't HS256 or is from another site. */
    async read(token: string) {
      const { tokens } = await loadSigner();
      const claims = await tokens.verify(token, {
        algorithms: ["HS256"],
        issuer: TOKEN_ISSUER,
        audience: TOKEN_AUDIENCE,
        requiredClaims: ["exp", "iss", "aud", "jti", "sub"],
        currentDate: new Date(clock()),
      });
      if (!claims || !claims.jti || !claims.sub) return undefined;
      return { sessionId: claims.jti, userId: claims.sub };
    },
  };
}

/** Loads the JWT library at the first login, so that it doesn't delay the first page after a start. */
async function loadJwt(secret: Uint8Array) {
  const { jwt } = await import("@elysiajs/jwt");
  return jwt({ name: "tokens", secret, alg: "HS256", iss: TOKEN_ISSUER, aud: TOKEN_AUDIENCE })
    .decorator;
}

export interface ResponseHeaders {
  headers: Record<string, unknown>;
}

/** Reads and writes the session cookie. It is Secure only if `isHttps`: over http, browsers refuse Secure cookies. */
export function createSessionCookie(isHttps: boolean) {
  const flags = { httpOnly: true, sameSite: "lax", path: "/", secure: isHttps } as const;
  const name = getSessionCookieName(isHttps);
  const serializeCookie = (value: string, maxAge: number) =>
    new Bun.Cookie(name, value, { ...flags, maxAge }).serialize();
  return {
    getToken: (request: Request) => getCookie(request, name),
    /** Sets the session cookie together with `deviceCookie`, a Set-Cookie value of deviceCookies.ts. */
    set({ headers }: ResponseHeaders, token: string, deviceCookie: string) {
      headers["set-cookie"] = [serializeCookie(token, SESSION_LIMIT_MS / 1000), deviceCookie];
    },
    clear({ headers }: ResponseHeaders) {
      headers["set-cookie"] = serializeCookie("", 0);
    },
  };
}
