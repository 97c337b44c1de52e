/** Logging in, with a password or a passkey, and logging out. */
import { Elysia } from "elysia";
import type { CurrentUser } from "../../schema/people/accounts.ts";
import { hasPermission } from "../../schema/core/roles.ts";
import { type BodyFields, MAX_PUBLIC_JSON_BYTES, readFields, readJson } from "../http/body.ts";
import type { Visitor } from "../http/visitor.ts";
import { invalidInput, isRefusal, wrongCredentials } from "../shared/errors.ts";
import { adoptTimeZone } from "../shared/siteZone.ts";
import type { Accounts } from "./accounts.ts";
import type { SessionUser } from "./guard.ts";
import { findUser, isSetUp, type User, listUsers, getUser } from "./users.ts";
import {
  isPasskeyResponse,
  findPasskeyUser,
  requireSecondFactor,
  verifyPasskey,
} from "./secondFactor.ts";
import { toCurrentUser, type ResponseHeaders } from "./sessions.ts";

/** GET `/passkey-login` returns what the login page needs; POST `/passkey-login` logs in with only a passkey. */
export function createLoginRoutes(accounts: Accounts) {
  const { guard, visitorPlugin, store, sessions, passkeys, sessionCookie } = accounts;
  return new Elysia({ prefix: "/api/auth" })
    .use(guard)
    .use(visitorPlugin)
    .post(
      "/login",
      ({ request, visitor, session, set }) =>
        logInWithPassword(accounts, { request, visitor, session, set }),
      { viewer: true },
    )
    .post("/passkey-options", async ({ request }) => {
      const input = await readFields(request);
      return passkeys.getLoginOptions(input.alone === true);
    })
    .get(
      "/passkey-login",
      ({ session, set }) => {
        set.headers["cache-control"] = "no-store";
        return {
          possible: arePasskeysPossible(accounts),
          isLoggedIn: session !== undefined,
          isSetUp: isSetUp(store),
        };
      },
      { viewer: true },
    )
    .post(
      "/passkey-login",
      ({ request, visitor, session, set }) =>
        logInWithPasskey(accounts, { request, visitor, session, set }),
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

async function logInWithPassword(
  accounts: Accounts,
  loginRequest: LoginRequest,
): Promise<CurrentUser> {
  const { store, passwords, throttle, deviceCookies, audit } = accounts;
  const { request, visitor } = loginRequest;
  const input = await readFields(request);
  const { username, password } = readCredentials(input);
  // Counts an unknown browser's attempt before the lookup, so that a refusal doesn't reveal whether the user exists.
  const strangerAttempt = deviceCookies.isRecognized(request)
    ? undefined
    : throttle.admitAttempt(visitor);
  const user = findUser(store, username);
  const throttleKey = deviceCookies.findThrottleKey(request, user?.id);
  const attempt = strangerAttempt ?? throttle.admitAttempt(visitor, throttleKey);
  const isTrustedDevice = throttleKey !== undefined;
  const queueName = isTrustedDevice ? "known" : "stranger";
  const isPasswordCorrect = await passwords.verify(password, user?.passwordHash, queueName);
  // Rejects the login if the password was changed during the verification.
  const isUnchanged = findUser(store, username)?.passwordHash === user?.passwordHash;
  if (!user || !isPasswordCorrect || !isUnchanged) {
    audit.recordFailedLogin("entered a wrong password", user, visitor);
    throw wrongCredentials();
  }
  const action = await requireSecondFactor(accounts, user, input, isTrustedDevice).catch(
    (error: unknown) => {
      const isWrong = hasSecondFactorInput(input) && isRefusal(error, "second_factor");
      if (isWrong) audit.recordFailedLogin("entered a wrong code", user, visitor);
      throw error;
    },
  );
  attempt.markSucceeded();
  return logIn(accounts, user, { ...loginRequest, action, input });
}

async function logInWithPasskey(
  accounts: Accounts,
  loginRequest: LoginRequest,
): Promise<CurrentUser> {
  const { store, throttle, deviceCookies, audit } = accounts;
  const { request, visitor } = loginRequest;
  const input = await readJson(request, MAX_PUBLIC_JSON_BYTES);
  if (!isPasskeyResponse(input)) throw invalidInput("Send the browser's passkey response.");
  const user = findPasskeyUser(store, input.id);
  // Counts only invalid signatures: a valid one can't be a guess, so it is never delayed.
  if (!user || !(await verifyPasskey(accounts, user, input, true))) {
    throttle.admitAttempt(visitor, deviceCookies.findThrottleKey(request, user?.id));
    audit.recordFailedLogin("used a passkey that was rejected", user, visitor);
    throw wrongCredentials(WRONG_PASSKEY_MESSAGE);
  }
  return logIn(accounts, user, { ...loginRequest, action: "logged in with a passkey", input });
}

const WRONG_PASSKEY_MESSAGE =
  "The passkey wasn't accepted. Try again, or log in with your password.";

const hasSecondFactorInput = ({ code, passkey }: BodyFields) =>
  code !== undefined || passkey !== undefined;

const arePasskeysPossible = ({ store, passkeys }: Accounts) =>
  passkeys.unavailableReason === undefined &&
  listUsers(store).some((user) => user.passkeys.length > 0);

interface LoginDetails {
  readonly request: Request;
  readonly visitor: Visitor;
  readonly session?: SessionUser | undefined;
  readonly set: ResponseHeaders;
  /** The audit log's action, such as "logged in with a code". */
  readonly action: string;
  /** The request body. An owner's login stores its `timeZone` if the site has no time zone. */
  readonly input: BodyFields;
}

/** Starts a session, sets its cookies, and returns the user's public data. */
export async function logIn(
  { store, sessions, deviceCookies, sessionCookie, audit, onNewBrowser }: Accounts,
  user: User,
  { request, visitor, session, set, action, input }: LoginDetails,
): Promise<CurrentUser> {
  const { token, id } = await sessions.start(user, visitor);
  const actor = { username: user.username, userId: user.id };
  const hasDeviceCookie = deviceCookies.findDeviceName(request, user.id) !== undefined;
  // An account's first login is expected, so it isn't reported as a login from a new browser.
  if (!hasDeviceCookie && (await audit.findLoginsFromNewBrowsers(user.id, "")).length > 0)
    onNewBrowser(user, visitor);
  const deviceCookie = deviceCookies.createCookie(request, user.id);
  audit.record({ kind: "login", action, actor, visitor, id, device: deviceCookie.deviceName });
  sessionCookie.set(set, token, deviceCookie.cookie);
  // Ends the old session, because its cookie was replaced and the user could no longer log out of it (ASVS 5.0, 7.2.4).
  if (session) await sessions.end(session.sessionId);
  if (hasPermission(user.role, "site")) await adoptTimeZone(store, input.timeZone);
  return toCurrentUser(store, user);
}

function readCredentials({ username, password }: BodyFields): {
  username: string;
  password: string;
} {
  const hasName = typeof username === "string" && username.trim() !== "";
  // The password isn't trimmed, because spaces are part of it.
  const hasPassword = typeof password === "string" && password !== "";
  if (hasName && hasPassword) return { username, password };
  const messages = {
    ...(!hasName && { username: EMPTY_MESSAGE }),
    ...(!hasPassword && { password: EMPTY_MESSAGE }),
  };
  throw invalidInput("Please fill in all fields", messages);
}

const EMPTY_MESSAGE = "This can't be empty.";
