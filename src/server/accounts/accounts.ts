/** The services that the account routes share. */
import { createVisitorPlugin, type IdentifyVisitor } from "../http/visitor.ts";
import type { Clock } from "../shared/clock.ts";
import type { DataKey } from "../shared/secrets.ts";
import type { Log } from "../shared/log.ts";
import type { Store } from "../storage/store.ts";
import { createAccessGuard, createReauthentication } from "./guard.ts";
import { AuditLog } from "./auditLog.ts";
import { createDeviceCookies, type OnNewBrowser } from "./deviceCookies.ts";
import { LoginThrottle } from "./loginThrottle.ts";
import { createPasskeys } from "./passkeys.ts";
import { type Passwords, createPasswords } from "./passwords.ts";
import { resealTotpSecrets } from "./totp.ts";
import { createSessionCookie, createSessions, createSessionTokens } from "./sessions.ts";

interface AccountOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** The clock for deleting old audit entries. Default: `clock`. */
  readonly trustedClock?: Clock | undefined;
  readonly siteUrl: string | undefined;
  /** False with RATE_LIMIT=off. */
  readonly isRateLimited: boolean;
  readonly identifyVisitor: IdentifyVisitor;
  /** Gives a request more time than `LISTEN_OPTIONS` does. */
  readonly extendTimeout: (request: Request) => void;
  readonly log: Log;
  readonly dataKey: DataKey;
  /** The password hashing. Default: argon2id at the cost that OWASP recommends. */
  readonly passwords?: Passwords | undefined;
  readonly onNewBrowser: OnNewBrowser;
}

export type Accounts = Awaited<ReturnType<typeof createAccounts>>;

export async function createAccounts(options: AccountOptions) {
  const { store, clock, trustedClock, siteUrl, log, dataKey, onNewBrowser } = options;
  const { identifyVisitor, extendTimeout } = options;
  const isHttps = siteUrl?.startsWith("https:") ?? false;
  const secret = await store.readSecret();
  const onEntry = (line: string) => log(line, "info");
  const audit = new AuditLog({ store, clock, trustedClock, log, onEntry });
  await resealTotpSecrets(store, dataKey, log);
  const sessions = createSessions(store, createSessionTokens(secret, clock), clock);
  const reauthentication = createReauthentication(clock, store.coordinator);
  return {
    store,
    clock,
    passwords: options.passwords ?? createPasswords(),
    sessions,
    throttle: new LoginThrottle({
      clock,
      isEnabled: options.isRateLimited,
      channel: store.coordinator,
    }),
    deviceCookies: createDeviceCookies(secret, isHttps),
    reauthentication,
    passkeys: createPasskeys({ siteUrl, secret, clock, channel: store.coordinator }),
    dataKey,
    sessionCookie: createSessionCookie(isHttps),
    guard: createAccessGuard({
      isHttps,
      findSessionUser: sessions.findUser,
      audit,
      identifyVisitor,
      reauthentication,
      extendTimeout,
    }),
    /** Records events outside guarded routes. Handlers of guarded routes call `logAudit` instead. */
    audit,
    visitorPlugin: createVisitorPlugin(identifyVisitor),
    onNewBrowser,
  };
}
