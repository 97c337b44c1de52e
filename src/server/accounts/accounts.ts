/** The services that the account routes share, created once per site. */
import { visitorPlugin, type VisitorPlugin, type IdentifyVisitor } from "../http/visitor.ts";
import type { Clock } from "../shared/clock.ts";
import type { DataKey } from "../shared/dataKey.ts";
import type { Log } from "../shared/log.ts";
import type { Store } from "../storage/store.ts";
import {
  createAccessGuard,
  type AccessGuard,
  type Reauthentication,
  createReauthentication,
} from "./guard.ts";
import { AuditLog } from "./auditLog.ts";
import { createDeviceCookies, type DeviceCookies, type OnNewBrowser } from "./deviceCookies.ts";
import { LoginThrottle } from "./loginThrottle.ts";
import type { UserContext } from "./users.ts";
import { type Passkeys, createPasskeys } from "./passkeys.ts";
import { type Passwords, createPasswords } from "./passwords.ts";
import { resealTotpSecrets } from "./totpSecrets.ts";
import {
  createSessionCookie,
  type SessionCookie,
  createSessions,
  type Sessions,
  createSessionTokens,
} from "./sessions.ts";

interface AccountOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Decides which audit entries are deleted; default: the clock. */
  readonly trustedClock?: Clock | undefined;
  readonly siteUrl: string | undefined;
  /** False with RATE_LIMIT=off. */
  readonly limited: boolean;
  readonly visitorOf: IdentifyVisitor;
  /** Writes a line for the operator. */
  readonly log: Log;
  readonly dataKey: DataKey;
  /** Default: at the full cost. */
  readonly passwords?: Passwords | undefined;
  readonly onNewBrowser: OnNewBrowser;
}

export interface Accounts extends UserContext {
  readonly onNewBrowser: OnNewBrowser;
  readonly sessions: Sessions;
  readonly throttle: LoginThrottle;
  readonly browsers: DeviceCookies;
  readonly proof: Reauthentication;
  readonly passkeys: Passkeys;
  readonly dataKey: DataKey;
  readonly sessionCookie: SessionCookie;
  readonly guard: AccessGuard;
  /** For events outside a route; guarded handlers have `happened`. */
  readonly audit: AuditLog;
  readonly visitors: VisitorPlugin;
}

/** Reads the store's secret, which signs the tokens, and seals authenticator secrets with DATA_KEY. */
export async function createAccounts(options: AccountOptions): Promise<Accounts> {
  const { store, clock, trustedClock, siteUrl, visitorOf, log, dataKey } = options;
  const https = siteUrl?.startsWith("https:") ?? false;
  const secret = await store.readSecret();
  const audit = new AuditLog({
    store,
    clock,
    trustedClock,
    log,
    onEntry: (line) => log(line, "info"),
  });
  await resealTotpSecrets(store, dataKey, log);
  const running = createSessions(store, createSessionTokens(secret, clock), clock);
  return {
    store,
    clock,
    passwords: options.passwords ?? createPasswords(),
    sessions: running,
    throttle: new LoginThrottle({ clock, isEnabled: options.limited, channel: store.instances }),
    browsers: createDeviceCookies(secret, https),
    proof: createReauthentication(clock, store.instances),
    passkeys: createPasskeys({ siteUrl, secret, clock, channel: store.instances }),
    dataKey,
    sessionCookie: createSessionCookie(https),
    guard: createAccessGuard({ https, findSessionUser: running.userOf, audit, visitorOf }),
    audit,
    visitors: visitorPlugin(visitorOf),
    onNewBrowser: options.onNewBrowser,
  };
}
