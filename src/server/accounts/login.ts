/** Logging in, with a password or a passkey, and logging out. */
import { Elysia } from "elysia";
import type { CurrentUser } from "../../schema/people/accounts.ts";
import { hasPermission } from "../../schema/core/roles.ts";
import { type BodyFields, MAX_PUBLIC_JSON_BYTES, readFields, readJson } from "../http/body.ts";
import type { Visitor, VisitorPlugin } from "../http/visitor.ts";
import { invalidInput, isRefusal, wrongCredentials } from "../shared/errors.ts";
import { adoptTimeZone } from "../shared/siteZone.ts";
import type { Store } from "../storage/store.ts";
import { type AuditLog, UNKNOWN_USER } from "./auditLog.ts";
import type { AccessGuard, SessionUser } from "./guard.ts";
import type { LoginThrottle } from "./loginThrottle.ts";
import type { DeviceCookies, OnNewBrowser } from "./deviceCookies.ts";
import { findUser, hasUser, type User, usersDocument, getUser } from "./users.ts";
import {
  isPasskeyResponse,
  findPasskeyUser,
  requireSecondFactor,
  type SecondFactorContext,
  usePasskey,
} from "./secondFactor.ts";
import {
  toCurrentUser,
  type ResponseHeaders,
  type SessionCookie,
  type Sessions,
} from "./sessions.ts";

/** The dependencies for starting a session. */
interface SessionContext {
  readonly store: Store;
  readonly sessions: Sessions;
  readonly browsers: DeviceCookies;
  readonly sessionCookie: SessionCookie;
  readonly audit: AuditLog;
  readonly onNewBrowser: OnNewBrowser;
}

interface LoginContext extends SessionContext, SecondFactorContext {
  readonly throttle: LoginThrottle;
}

interface LoginRoutesContext extends LoginContext {
  readonly guard: AccessGuard;
  readonly visitors: VisitorPlugin;
}

/**
 * Under `/api/auth`: `POST /login` with a password, `POST /passkey-login` with only a passkey, `POST /logout`, and
 * `GET /me` for the current user. `POST /passkey-options` returns the options for a browser to use a passkey, alone or
 * as the second factor. `GET /passkey-login` returns the state of the login page.
 */
export function loginRoutes({ guard, visitors, ...context }: LoginRoutesContext) {
  const { store, sessions, passkeys, sessionCookie } = context;
  return new Elysia({ prefix: "/api/auth" })
    .use(guard)
    .use(visitors)
    .post(
      "/login",
      ({ request, visitor, session, set }) =>
        logInWithPassword(context, { request, visitor, session, set }),
      { viewer: true },
    )
    .post("/passkey-options", async ({ request }) => {
      const sent = await readFields(request);
      return passkeys.loginOptions(sent.alone === true);
    })
    .get(
      "/passkey-login",
      ({ session, set }) => {
        set.headers["cache-control"] = "no-store";
        return {
          possible: arePasskeysPossible(context),
          isLoggedIn: session !== undefined,
          isSetUp: hasUser(store),
        };
      },
      { viewer: true },
    )
    .post(
      "/passkey-login",
      ({ request, visitor, session, set }) =>
        logInWithPasskey(context, { request, visitor, session, set }),
      { viewer: true },
    )
    .get("/me", ({ user }) => toCurrentUser(store, getUser(store, user.userId)), {
      may: "secondFactor",
    })
    .post(
      "/logout",
      async ({ session, set }) => {
        if (session) await sessions.end(session.sessionId);
        sessionCookie.clear(set);
        set.status = 204;
      },
      { viewer: true },
    );
}

type LoginRequest = Pick<LoginDetails, "request" | "visitor" | "session" | "set">;

async function logInWithPassword(context: LoginContext, call: LoginRequest): Promise<CurrentUser> {
  const { store, passwords, throttle, browsers, audit } = context;
  const { request, visitor } = call;
  const sent = await readFields(request);
  const { username, password } = readCredentials(sent);
  // An unknown browser is counted before any lookup, so that the response reveals no user.
  const strangers = browsers.isKnown(request) ? undefined : throttle.admitAttempt(visitor);
  const user = findUser(store, username);
  const deviceId = browsers.deviceId(request, user?.id);
  const attempt = strangers ?? throttle.admitAttempt(visitor, deviceId);
  const isTrustedDevice = deviceId !== undefined;
  const from = isTrustedDevice ? "known" : "stranger";
  const fits = await passwords.verify(password, user?.passwordHash, from);
  // The password may have changed while it was verified.
  const isUnchanged = findUser(store, username)?.passwordHash === user?.passwordHash;
  if (!user || !fits || !isUnchanged) {
    recordFailedLogin(audit, visitor, "entered a wrong password", user);
    throw wrongCredentials();
  }
  const how = await requireSecondFactor(context, user, sent, isTrustedDevice).catch(
    (error: unknown) => {
      const isWrong = hasSecondFactorInput(sent) && isRefusal(error, "second_factor");
      if (isWrong) recordFailedLogin(audit, visitor, "entered a wrong code", user);
      throw error;
    },
  );
  attempt.succeeded();
  return logIn(context, user, { ...call, how, sent });
}

async function logInWithPasskey(context: LoginContext, call: LoginRequest): Promise<CurrentUser> {
  const { store, throttle, browsers, audit } = context;
  const { request, visitor } = call;
  const sent = await readJson(request, MAX_PUBLIC_JSON_BYTES);
  if (!isPasskeyResponse(sent)) throw invalidInput("Send the browser's passkey response.");
  const user = findPasskeyUser(store, sent.id);
  // A signature can't be guessed. So only wrong ones are counted, and nobody can delay a correct one.
  if (!user || !(await usePasskey(context, user, sent, true))) {
    throttle.admitAttempt(visitor, browsers.deviceId(request, user?.id));
    recordFailedLogin(audit, visitor, "used a passkey that was rejected", user);
    throw wrongCredentials(WRONG_PASSKEY_MESSAGE);
  }
  const how = "logged in with a passkey";
  const fields: BodyFields = sent;
  return logIn(context, user, { ...call, how, sent: fields });
}

const WRONG_PASSKEY_MESSAGE = "This passkey isn't registered here. Log in with your password.";

const hasSecondFactorInput = ({ code, passkey }: BodyFields) =>
  code !== undefined || passkey !== undefined;

/** Whether the login page offers passkeys: only if a user has one. */
const arePasskeysPossible = ({
  store,
  passkeys,
}: Pick<SecondFactorContext, "store" | "passkeys">) =>
  passkeys.unavailableReason === undefined &&
  usersDocument(store)
    .read()
    .value.some((user) => user.passkeys.length > 0);

interface LoginDetails {
  readonly request: Request;
  readonly visitor: Visitor;
  /** The session that this browser already has, if any. */
  readonly session: SessionUser | undefined;
  readonly set: ResponseHeaders;
  /** The audit log's action, such as "logged in with a code". */
  readonly how: string;
  /** The body. If an owner logs in and the site has no time zone, the browser's becomes the site's. */
  readonly sent: { readonly timeZone?: unknown };
}

/** Starts a session, sets its cookies, and returns the user's public data. */
export async function logIn(
  { store, sessions, browsers, sessionCookie, audit, onNewBrowser }: SessionContext,
  user: User,
  { request, visitor, session, set, how, sent }: LoginDetails,
): Promise<CurrentUser> {
  const { token, id } = await sessions.start(user, visitor);
  const by = { username: user.username, userId: user.id };
  const hasDeviceCookie = browsers.deviceName(request, user.id) !== undefined;
  // An account's first login is expected, so nobody is notified.
  if (!hasDeviceCookie && (await audit.loginsFromNewBrowsers(user.id, "")).length > 0)
    onNewBrowser(user, visitor);
  const device = browsers.rememberCookie(request, user.id);
  audit.record({ kind: "login", action: how, by, visitor, id, device: device.device });
  sessionCookie.set(set, token, device.cookie);
  // The new cookie replaces the old session's, so its user could no longer end that session (ASVS 5.0, 7.2.4).
  if (session) await sessions.end(session.sessionId);
  if (hasPermission(user.role, "site")) await adoptTimeZone(store, sent.timeZone);
  return toCurrentUser(store, user);
}

/** Doesn't record what was typed, because people type passwords into the username field. */
function recordFailedLogin(
  audit: AuditLog,
  visitor: Visitor,
  action: string,
  user: User | undefined,
): void {
  const detail = user ? `For ${user.username}` : "For an unknown account";
  const by = { ...UNKNOWN_USER, userId: user?.id ?? null };
  audit.record({ kind: "failedLogin", action, detail, by, visitor });
}

function readCredentials({ username, password }: BodyFields): {
  username: string;
  password: string;
} {
  const hasName = typeof username === "string" && username.trim() !== "";
  // A password may consist of spaces.
  const hasPassword = typeof password === "string" && password !== "";
  if (hasName && hasPassword) return { username, password };
  const messages = {
    ...(!hasName && { username: EMPTY_MESSAGE }),
    ...(!hasPassword && { password: EMPTY_MESSAGE }),
  };
  throw invalidInput("Please fill in all fields", messages);
}

const EMPTY_MESSAGE = "This can't be empty.";
