/** What the account routes share, made once for a site. */
import { visitorPlugin, type VisitorPlugin, type WhoCalls } from "../http/visitor.ts";
import type { Clock } from "../shared/clock.ts";
import type { Store } from "../storage/store.ts";
import { ownerGuard, type OwnerGuard, type Proof, proofs } from "./guard.ts";
import {
  knownBrowsers,
  type KnownBrowsers,
  loginThrottle,
  type LoginThrottle,
} from "./guessing.ts";
import type { OwnerTools } from "./owners.ts";
import { passwords } from "./passwords.ts";
import {
  sessionCookie,
  type SessionCookie,
  sessions,
  type Sessions,
  sessionTokens,
} from "./sessions.ts";

export interface AccountOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly https: boolean;
  /** False with RATE_LIMIT=off. */
  readonly limited: boolean;
  readonly who: WhoCalls;
}

export interface Accounts extends OwnerTools {
  readonly sessions: Sessions;
  readonly throttle: LoginThrottle;
  readonly browsers: KnownBrowsers;
  readonly proof: Proof;
  readonly cookie: SessionCookie;
  readonly guard: OwnerGuard;
  readonly visitors: VisitorPlugin;
}

/** Asks the store for the secret that signs the tokens. */
export async function accounts(options: AccountOptions): Promise<Accounts> {
  const { store, clock, https } = options;
  const secret = await store.secret();
  const running = sessions(store, sessionTokens(secret, clock), clock);
  return {
    store,
    clock,
    passwords: passwords(),
    sessions: running,
    throttle: loginThrottle({ clock, enabled: options.limited }),
    browsers: knownBrowsers(secret, https),
    proof: proofs(clock),
    cookie: sessionCookie(https),
    guard: ownerGuard({ https, ownerOf: running.ownerOf }),
    visitors: visitorPlugin(options.who),
  };
}
