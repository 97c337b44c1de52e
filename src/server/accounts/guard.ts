/** The guard of the owner's routes: the one way to ask who is calling. */
import { Elysia } from "elysia";
import type { CurrentUser } from "../../schema/accounts.ts";
import type { Clock } from "../shared/clock.ts";
import { noSession, proofNeeded } from "../shared/errors.ts";

/** An owner who is logged in; handlers under the guard find it as `owner`, others as `viewer`. */
export interface Owner extends CurrentUser {
  readonly userId: string;
  readonly sessionId: string;
  /** In milliseconds since 1970. */
  readonly loggedInAt: number;
}

/** The cookie's name: bound to the host under https (RFC 6265bis, "__Host-" prefix). */
export const cookieName = (https: boolean) => (https ? "__Host-limelight" : "limelight");

interface GuardOptions {
  readonly https: boolean;
  readonly ownerOf: (token: string) => Promise<Owner | undefined>;
}

/**
 * A plugin with two macros. `owner: true` on a route: its handler gets `owner`, everyone else a 401
 * before any of the body is read. `viewer: true`: its handler gets `viewer`, undefined for visitors.
 */
export function ownerGuard({ https, ownerOf }: GuardOptions) {
  const name = cookieName(https);
  // Read from the header: Elysia fills `cookie` only when it finds the word in a function's source,
  // and that search fails in minified code.
  const find = ({ headers }: Request) => {
    const token = new Bun.CookieMap(headers.get("cookie") ?? "").get(name);
    return token ? ownerOf(token) : undefined;
  };
  return new Elysia({ name: "owner-guard" }).macro({
    owner: {
      resolve: async ({ request, set }) => {
        const owner = await find(request);
        if (!owner) throw noSession();
        // Names, messages and sessions must not stay in a browser's cache (ASVS 5.0, 14.3.2).
        set.headers["cache-control"] = "no-store";
        return { owner };
      },
    },
    viewer: {
      resolve: async ({ request }) => ({ viewer: await find(request) }),
    },
  });
}

export type OwnerGuard = ReturnType<typeof ownerGuard>;

/** A login, or the password typed once more, counts for ten minutes. */
const PROOF_LASTS = 10 * 60_000;

/** The most sessions there can be; a session that is over is not looked for again. */
const MOST_KEPT = 1000;

/**
 * `proof.require(owner)` stands first in a handler of what exports, restores or erases much, or changes
 * who may log in. The dashboard answers the refusal by itself: `withSession` asks for the password and
 * makes the call once more.
 */
export interface Proof {
  /** Throws a 403 `proof_needed` unless the owner has shown within ten minutes who they are. */
  require(owner: Owner): void;
  /** To be called once the owner has. */
  given(owner: Owner): void;
}

/** Kept in memory: after a restart the login counts, and then the password is asked for. */
export function proofs(clock: Clock): Proof {
  const given = new Map<string, number>();
  const isFresh = (moment: number) => clock() >= moment && clock() - moment < PROOF_LASTS;
  return {
    require({ sessionId, loggedInAt }) {
      const latest = given.get(sessionId) ?? Number.NEGATIVE_INFINITY;
      if (!isFresh(loggedInAt) && !isFresh(latest)) throw proofNeeded();
    },
    given({ sessionId }) {
      given.delete(sessionId);
      given.set(sessionId, clock());
      if (given.size > MOST_KEPT) given.delete(given.keys().next().value!);
    },
  };
}
