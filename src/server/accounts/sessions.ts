/** Who is logged in: a record per session on the server, so that ending one is final (security.md). */
import type { Item } from "../../schema/index.ts";
import type { Clock } from "../http/clock.ts";
import type { Document, Store } from "../storage/store.ts";
import type { Owner } from "./owner.ts";
import type { SessionTokens } from "./sessionTokens.ts";

const HOUR = 3_600_000;
/** Without a request for this long a session ends. */
export const IDLE_LIMIT = 8 * HOUR;
/** A session ends after this, however busy. */
export const SESSION_LIMIT = 7 * 24 * HOUR;
/** `lastSeenAt` is written at most this often. */
const SEEN_INTERVAL = 5 * 60_000;
/** As many as the schema's limit, the oldest go first. */
const MAX_SESSIONS = 1000;

type User = Item<"users">;
type Session = Item<"sessions">;

/** The sessions of a site. */
export interface Sessions {
  /** Starts one and gives its token. */
  start(user: User, userAgent: string | null): Promise<string>;
  /** The owner behind a token; undefined when it is not valid, its session over or its user gone. */
  ownerOf(token: string): Promise<Owner | undefined>;
  end(sessionId: string): Promise<void>;
  /** Ends the user's sessions but the one named; all of them without a name. */
  endOthers(userId: string, sessionId?: string): Promise<void>;
  /** The user's running sessions, latest first. */
  list(userId: string): Session[];
}

/** Sessions in the `sessions` document of the store. */
export function sessions(store: Store, tokens: SessionTokens, clock: Clock): Sessions {
  const document = store.document<Session[]>("sessions");
  const users = store.document<User[]>("users");
  const seen = lastSeen(document, clock);
  const isRunning = (session: Session) =>
    clock() < Date.parse(session.expiresAt!) && clock() - seen.at(session) < IDLE_LIMIT;
  const keep = async (which: (session: Session) => boolean) => {
    await document.update((all) => (all.every(which) ? all : all.filter(which)));
  };

  return {
    async start(user, userAgent) {
      const session = newSession(user.id, userAgent, clock());
      await document.update((all) => [...all.filter(isRunning), session].slice(-MAX_SESSIONS));
      const claims = { sessionId: session.id, userId: user.id };
      return tokens.sign(claims, Date.parse(session.expiresAt!));
    },
    async ownerOf(token) {
      const claims = await tokens.read(token);
      const session = claims && document.read().value.find(({ id }) => id === claims.sessionId);
      if (!session || session.userId !== claims.userId || !isRunning(session)) return undefined;
      const user = users.read().value.find(({ id }) => id === session.userId);
      if (!user) return undefined;
      await seen.now(session);
      return ownerFrom(user, session);
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

function newSession(userId: string, userAgent: string | null, now: number): Session {
  return {
    id: Bun.randomUUIDv7(),
    userId,
    createdAt: moment(now),
    lastSeenAt: moment(now),
    expiresAt: moment(now + SESSION_LIMIT),
    userAgent,
  };
}

function ownerFrom(user: User, session: Session): Owner {
  const { username, email, role } = user;
  return { username, email, role, userId: user.id, sessionId: session.id };
}

/** Idle time is exact in memory; the disk hears of it now and then. */
function lastSeen(document: Document<Session[]>, clock: Clock) {
  const moments = new Map<string, number>();
  const stored = (session: Session) => Date.parse(session.lastSeenAt!);
  return {
    at: (session: Session) => Math.max(moments.get(session.id) ?? 0, stored(session)),
    async now(session: Session) {
      const now = clock();
      if (moments.size > 2 * MAX_SESSIONS) moments.clear();
      moments.set(session.id, now);
      if (now - stored(session) < SEEN_INTERVAL) return;
      const lastSeenAt = moment(now);
      const touch = (each: Session) => (each.id === session.id ? { ...each, lastSeenAt } : each);
      // A full disk must not log the owner out: the moment is in memory, and is written later.
      await document.update((all) => all.map(touch)).catch(() => {});
    },
  };
}
