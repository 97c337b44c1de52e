/** The guard of the owner's routes: the only way to identify the caller and check their permissions. */
import { Elysia } from "elysia";
import type { CurrentUser } from "../../schema/people/accounts.ts";
import type { Entity } from "../../schema/entities/entity.ts";
import { hasPermission, type Permission } from "../../schema/core/roles.ts";
import { getCookie } from "../http/cookies.ts";
import type { IdentifyVisitor } from "../http/visitor.ts";
import { BoundedMap } from "../shared/boundedMap.ts";
import type { Clock } from "../shared/clock.ts";
import { MINUTE } from "../shared/time.ts";
import {
  noSession,
  notAllowed,
  reauthenticationRequired,
  secondFactorSetupRequired,
} from "../shared/errors.ts";
import type { Channel } from "../shared/channel.ts";
import type { AuditLog, LogAudit } from "./auditLog.ts";

export interface SessionUser extends CurrentUser {
  readonly userId: string;
  readonly sessionId: string;
  /** In milliseconds since 1970. */
  readonly loggedInAt: number;
}

/** The cookie's name: bound to the host under https (RFC 6265bis, "__Host-" prefix). */
export const sessionCookieName = (https: boolean) => (https ? "__Host-limelight" : "limelight");

/** Names, messages and sessions must not stay in a browser's cache (ASVS 5.0, 14.3.2). */
const NO_STORE = "no-store";

interface GuardOptions {
  readonly https: boolean;
  readonly findSessionUser: (token: string) => Promise<SessionUser | undefined>;
  readonly audit: Pick<AuditLog, "record">;
  readonly visitorOf: IdentifyVisitor;
}

/**
 * A plugin with three macros. `may: "content"` gives a route's handler `user`, and `happened` for the audit log; it
 * responds with a 401 without a session, and with a 403 without that permission or a required second factor, before
 * reading the body. `owner: true` is the same for owners only, as `owner`. `viewer: true` gives `viewer`, undefined
 * for visitors and for users without a required second factor, and `session` for all who are logged in.
 */
export function createAccessGuard({ https, findSessionUser, audit, visitorOf }: GuardOptions) {
  const name = sessionCookieName(https);
  // Read from the header: Elysia provides `cookie` only if it finds the word in a function's source, which fails in
  // minified code.
  const find = (request: Request) => {
    const token = getCookie(request, name);
    return token ? findSessionUser(token) : undefined;
  };
  const admit = async (
    request: Request,
    headers: Record<string, unknown>,
    permission: Permission,
  ) => {
    const user = await find(request);
    if (!user) throw noSession();
    const logAudit: LogAudit = (kind, action, detail) =>
      audit.record({ kind, action, detail, by: user, visitor: visitorOf(request) });
    if (!hasPermission(user.role, permission)) {
      const action = "tried something their role doesn't allow";
      audit.record({
        kind: "people",
        action,
        by: user,
        visitor: visitorOf(request),
        isRefusal: true,
      });
      throw notAllowed();
    }
    if (user.owesSecondFactor && permission !== "secondFactor") throw secondFactorSetupRequired();
    headers["cache-control"] = NO_STORE;
    return { user, happened: logAudit };
  };
  return new Elysia({ name: "owner-guard" }).macro({
    owner: {
      resolve: async ({ request, set }) => {
        const { user, happened } = await admit(request, set.headers, "site");
        return { owner: user, happened };
      },
    },
    may: (permission: Permission) => ({
      resolve: ({ request, set }) => admit(request, set.headers, permission),
    }),
    viewer: {
      resolve: async ({ request, set }) => {
        const session = await find(request);
        if (session) set.headers["cache-control"] = NO_STORE;
        return { viewer: session?.owesSecondFactor ? undefined : session, session };
      },
    },
  });
}

/** For permissions known only inside the route, such as those of the entity in its path. Throws a 403. */
export function requirePermission(user: SessionUser, permission: Permission): void {
  if (!hasPermission(user.role, permission)) throw notAllowed();
}

/** The same as the guard's `viewer: true` provides. */
export interface CurrentReader {
  readonly viewer: SessionUser | undefined;
  readonly session: SessionUser | undefined;
}

/** Throws a 401 or a 403 if an entity isn't public and the caller may not read it. */
export function requireReader(
  { readers, permission }: Pick<Entity, "readers" | "permission">,
  { viewer, session }: CurrentReader,
): void {
  if (readers === "everyone") return;
  if (!viewer) throw session ? secondFactorSetupRequired() : noSession();
  requirePermission(viewer, permission);
}

export type { LogAudit };

export type AccessGuard = ReturnType<typeof createAccessGuard>;

/** A login, or confirming the password, counts for ten minutes. */
const REAUTHENTICATION_TTL_MS = 10 * MINUTE;

/** The largest possible number of sessions; ended ones are never checked again. */
const MAX_CONFIRMATIONS = 1000;

/**
 * Handlers that export, restore or erase a lot, or change who may log in, begin with `proof.require(owner)`. The
 * dashboard's client handles the refusal: it asks for the password and repeats the call.
 */
export type Reauthentication = ReturnType<typeof createReauthentication>;

const REAUTHENTICATION_TOPIC = "proofs";

/** In memory, at every instance: after a restart a recent login counts, otherwise the password is needed again. */
export function createReauthentication(clock: Clock, channel: Channel) {
  const confirmedAt = new BoundedMap<string, number>(MAX_CONFIRMATIONS);
  const confirm = (sessionId: string) => void confirmedAt.set(sessionId, clock());
  channel.subscribe(REAUTHENTICATION_TOPIC, ([sessionId]) => confirm(String(sessionId)));
  const isFresh = (time: number) => clock() >= time && clock() - time < REAUTHENTICATION_TTL_MS;
  return {
    /** Throws a 403 `proof_needed` unless the owner proved their identity within the last ten minutes. */
    require({ sessionId, loggedInAt }: SessionUser) {
      const latest = confirmedAt.get(sessionId) ?? Number.NEGATIVE_INFINITY;
      if (!isFresh(loggedInAt) && !isFresh(latest)) throw reauthenticationRequired();
    },
    /** Call it once the owner has. */
    confirm({ sessionId }: SessionUser) {
      confirm(sessionId);
      channel.publish(REAUTHENTICATION_TOPIC, [sessionId]);
    },
  };
}
