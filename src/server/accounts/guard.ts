/** The guard of the dashboard's routes, which identifies the caller and checks permissions. */
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
import type { Channel } from "../shared/instanceCoordinator.ts";
import type { AuditLog, LogAudit } from "./auditLog.ts";

export interface SessionUser extends CurrentUser {
  readonly userId: string;
  readonly sessionId: string;
  /** In milliseconds since 1970. */
  readonly loggedInAt: number;
}

/** The name of the session cookie. Under https its prefix binds the cookie to the host (RFC 6265bis, "__Host-"). */
export const getSessionCookieName = (isHttps: boolean) =>
  isHttps ? "__Host-limelight" : "limelight";

/** Personal data must not stay in a browser's cache (ASVS 5.0, 14.3.2). */
const NO_STORE = "no-store";

type ResponseHeaders = Record<string, unknown>;

interface GuardOptions {
  readonly isHttps: boolean;
  readonly findSessionUser: (token: string) => Promise<SessionUser | undefined>;
  readonly audit: Pick<AuditLog, "record">;
  readonly identifyVisitor: IdentifyVisitor;
  readonly reauthentication: Reauthentication;
  /** Gives a request more time than `LISTEN_OPTIONS` does. */
  readonly extendTimeout: (request: Request) => void;
}

/**
 * A plugin with three macros for routes, which run before the body is read:
 *
 * - `may: "content"` requires a permission. The handler gets `user`, and `logAudit` to write to the audit log. Responds
 *   with 401 without a session, and with 403 without the permission or a required second factor.
 * - `owner: true` is the same for owners only. The handler gets `owner` in place of `user`.
 * - `may: { reauthenticated: "content" }` and `owner: "reauthenticated"` also require a recent proof of identity
 *   (`Reauthentication`).
 * - `viewer: true` requires nothing. The handler gets `session`, if the caller is logged in, and `viewer`: the session
 *   unless its user lacks a required second factor.
 */
export function createAccessGuard({
  isHttps,
  findSessionUser,
  audit,
  identifyVisitor,
  reauthentication,
  extendTimeout,
}: GuardOptions) {
  const cookieName = getSessionCookieName(isHttps);
  // Elysia's own `cookie` fails in minified code, because Elysia searches a function's source for the word `cookie`.
  const findSession = (request: Request) => {
    const token = getCookie(request, cookieName);
    return token ? findSessionUser(token) : undefined;
  };
  const admit = async (request: Request, headers: ResponseHeaders, permission: Permission) => {
    const user = await findSession(request);
    if (!user) throw noSession();
    const logAudit: LogAudit = (kind, action, detail) =>
      audit.record({ kind, action, detail, actor: user, visitor: identifyVisitor(request) });
    if (!hasPermission(user.role, permission)) {
      const action = "tried something their role doesn't allow";
      const visitor = identifyVisitor(request);
      audit.record({ kind: "people", action, actor: user, visitor, isRefusal: true });
      throw notAllowed();
    }
    if (user.owesSecondFactor && permission !== "secondFactor") throw secondFactorSetupRequired();
    headers["cache-control"] = NO_STORE;
    extendTimeout(request);
    return { user, logAudit };
  };
  return new Elysia({ name: "owner-guard" }).macro({
    owner: (option: true | "reauthenticated") => ({
      resolve: async ({ request, set }) => {
        const { user, logAudit } = await admit(request, set.headers, "site");
        if (option === "reauthenticated") reauthentication.require(user);
        return { owner: user, logAudit };
      },
    }),
    may: (option: Permission | { readonly reauthenticated: Permission }) => ({
      resolve: async ({ request, set }) => {
        if (typeof option === "string") return admit(request, set.headers, option);
        const access = await admit(request, set.headers, option.reauthenticated);
        reauthentication.require(access.user);
        return access;
      },
    }),
    viewer: {
      resolve: async ({ request, set }) => {
        const session = await findSession(request);
        if (session) set.headers["cache-control"] = NO_STORE;
        return { viewer: session?.owesSecondFactor ? undefined : session, session };
      },
    },
  });
}

/** Throws a 403 if the user lacks the permission. For routes whose permission depends on the request. */
export function requirePermission(user: SessionUser, permission: Permission): void {
  if (!hasPermission(user.role, permission)) throw notAllowed();
}

/** The caller of a route with the guard's macro `viewer: true`. */
export interface ViewerAccess {
  readonly viewer: SessionUser | undefined;
  readonly session: SessionUser | undefined;
}

/** Throws a 401 or a 403 unless the caller may read the entity. */
export function requireReadable(
  { readers, permission }: Pick<Entity, "readers" | "permission">,
  { viewer, session }: ViewerAccess,
): void {
  if (readers === "everyone") return;
  if (!viewer) throw session ? secondFactorSetupRequired() : noSession();
  requirePermission(viewer, permission);
}

export type { LogAudit };

export type AccessGuard = ReturnType<typeof createAccessGuard>;

/** Sensitive requests are allowed for this long after a login or a confirmed password. */
const REAUTHENTICATION_TTL_MS = 10 * MINUTE;

/** Equals the maximum number of sessions. */
const MAX_CONFIRMATIONS = 1000;

/**
 * Requires a recent proof of identity for routes that export, restore or erase much data, or change who may log in.
 * After a refusal, the dashboard asks for the password and repeats the request.
 */
export type Reauthentication = ReturnType<typeof createReauthentication>;

const REAUTHENTICATION_TOPIC = "proofs";

/** Stores confirmations in memory and shares them with all instances of the site. */
export function createReauthentication(clock: Clock, channel: Channel) {
  const confirmationTimes = new BoundedMap<string, number>(MAX_CONFIRMATIONS);
  const confirm = (sessionId: string) => void confirmationTimes.set(sessionId, clock());
  channel.subscribe(REAUTHENTICATION_TOPIC, ([sessionId]) => confirm(String(sessionId)));
  const isFresh = (time: number) => clock() >= time && clock() - time < REAUTHENTICATION_TTL_MS;
  return {
    /** Throws a 403 `proof_needed` unless the user logged in or confirmed the password within the last ten minutes. */
    require({ sessionId, loggedInAt }: SessionUser) {
      const confirmedAt = confirmationTimes.get(sessionId) ?? Number.NEGATIVE_INFINITY;
      if (!isFresh(loggedInAt) && !isFresh(confirmedAt)) throw reauthenticationRequired();
    },
    confirm({ sessionId }: SessionUser) {
      confirm(sessionId);
      channel.publish(REAUTHENTICATION_TOPIC, [sessionId]);
    },
  };
}
