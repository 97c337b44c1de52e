/** The guard of the owner's routes: the one way to ask who is calling, and whether they may. */
import { Elysia } from "elysia";
import type { CurrentUser } from "../../schema/accounts.ts";
import type { Entity } from "../../schema/entity.ts";
import { mayDo, type Permission } from "../../schema/roles.ts";
import type { WhoCalls } from "../http/visitor.ts";
import { BoundedMap } from "../shared/bounded.ts";
import type { Clock } from "../shared/clock.ts";
import { MINUTE } from "../shared/time.ts";
import { noSession, notAllowed, proofNeeded, secondFactorDue } from "../shared/errors.ts";
import type { Instances } from "../shared/instances.ts";
import type { AuditLog, Happened } from "./auditLog.ts";

/** Somebody who is logged in. */
export interface SessionUser extends CurrentUser {
  readonly userId: string;
  readonly sessionId: string;
  /** In milliseconds since 1970. */
  readonly loggedInAt: number;
}

/** The cookie's name: bound to the host under https (RFC 6265bis, "__Host-" prefix). */
export const cookieName = (https: boolean) => (https ? "__Host-limelight" : "limelight");

interface GuardOptions {
  readonly https: boolean;
  readonly userOf: (token: string) => Promise<SessionUser | undefined>;
  readonly audit: Pick<AuditLog, "note">;
  readonly who: WhoCalls;
}

/**
 * A plugin with three macros. `may: "content"` on a route: its handler gets `user`, and `happened` to
 * tell the audit log of what it did; who is not logged in gets a 401, and whose role lacks that
 * permission a 403, before any of the body is read, as does who has to set up a second factor first.
 * `owner: true` is the same for owners alone, as `owner`. `viewer: true`: its handler gets `viewer`,
 * undefined for visitors and who owes a second factor, and `session` for all who are logged in.
 */
export function ownerGuard({ https, userOf, audit, who }: GuardOptions) {
  const name = cookieName(https);
  // Read from the header: Elysia fills `cookie` only when it finds the word in a function's source,
  // and that search fails in minified code.
  const find = ({ headers }: Request) => {
    const token = new Bun.CookieMap(headers.get("cookie") ?? "").get(name);
    return token ? userOf(token) : undefined;
  };
  const admit = async (request: Request, headers: Record<string, unknown>, asked: Permission) => {
    const user = await find(request);
    if (!user) throw noSession();
    const happened: Happened = (kind, what, detail) =>
      audit.note({ kind, what, detail, by: user, visitor: who(request) });
    if (!mayDo(user.role, asked)) {
      const what = "tried what their role doesn't include";
      audit.note({ kind: "people", what, by: user, visitor: who(request), isRefusal: true });
      throw notAllowed();
    }
    if (user.owesSecondFactor && asked !== "secondFactor") throw secondFactorDue();
    // Names, messages and sessions must not stay in a browser's cache (ASVS 5.0, 14.3.2).
    headers["cache-control"] = "no-store";
    return { user, happened };
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
      resolve: async ({ request }) => {
        const session = await find(request);
        return { viewer: session?.owesSecondFactor ? undefined : session, session };
      },
    },
  });
}

/** For what a route learns only later, such as which entity a name stands for. Throws a 403. */
export function requireMay(user: SessionUser, permission: Permission): void {
  if (!mayDo(user.role, permission)) throw notAllowed();
}

/** As the guard's `viewer: true` has it. */
export interface WhoReads {
  readonly viewer: SessionUser | undefined;
  readonly session: SessionUser | undefined;
}

/** Throws a 401, or a 403, where an entity is not read by everyone. */
export function requireReader(
  { readers, permission }: Pick<Entity, "readers" | "permission">,
  { viewer, session }: WhoReads,
): void {
  if (readers === "everyone") return;
  if (!viewer) throw session ? secondFactorDue() : noSession();
  requireMay(viewer, permission);
}

export type { Happened };

export type OwnerGuard = ReturnType<typeof ownerGuard>;

/** A login, or the password typed once more, counts for ten minutes. */
const PROOF_LASTS = 10 * MINUTE;

/** The most sessions there can be; a session that is over is not looked for again. */
const MOST_KEPT = 1000;

/**
 * `proof.require(owner)` stands first in a handler of what exports, restores or erases much, or changes
 * who may log in. The dashboard answers the refusal by itself: its client asks for the password and
 * makes the call once more.
 */
export interface Proof {
  /** Throws a 403 `proof_needed` unless the owner has shown within ten minutes who they are. */
  require(owner: SessionUser): void;
  /** To be called once the owner has. */
  given(owner: SessionUser): void;
}

const TOPIC = "proofs";

/** Kept in memory, of every instance: after a restart the login counts, and then the password is asked for. */
export function proofs(clock: Clock, instances: Pick<Instances, "tell" | "hear">): Proof {
  const given = new BoundedMap<string, number>(MOST_KEPT);
  const keep = (sessionId: string) => void given.set(sessionId, clock());
  instances.hear(TOPIC, ([sessionId]) => keep(String(sessionId)));
  const isFresh = (moment: number) => clock() >= moment && clock() - moment < PROOF_LASTS;
  return {
    require({ sessionId, loggedInAt }) {
      const latest = given.get(sessionId) ?? Number.NEGATIVE_INFINITY;
      if (!isFresh(loggedInAt) && !isFresh(latest)) throw proofNeeded();
    },
    given({ sessionId }) {
      keep(sessionId);
      instances.tell(TOPIC, [sessionId]);
    },
  };
}
