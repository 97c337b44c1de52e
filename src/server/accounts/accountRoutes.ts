/** The routes of a user's own account: password, profile, sessions and logins. */
import { Elysia } from "elysia";
import pLimit from "p-limit";
import { entities } from "../../schema/index.ts";
import { type BodyFields, readFields } from "../http/body.ts";
import { describeBrowser } from "../http/visitor.ts";
import { getTimestamp } from "../shared/clock.ts";
import { noLongerExists, invalidField, invalidInput } from "../shared/errors.ts";
import type { Accounts } from "./accounts.ts";
import type { SessionUser } from "./guard.ts";
import {
  changePassword,
  changeUser,
  changeProfile,
  assertValidPassword,
  getUser,
} from "./users.ts";
import { toCurrentUser } from "./sessions.ts";

export function createAccountRoutes(accounts: Accounts) {
  return new Elysia({ prefix: "/api/auth" })
    .use(accounts.guard)
    .use(createReauthenticationRoutes(accounts))
    .use(createProfileRoutes(accounts))
    .use(createSessionRoutes(accounts))
    .get("/logins", ({ request, user }) => findUnseenLogins(accounts, request, user), {
      may: "account",
    })
    .post(
      "/logins/seen",
      async ({ user, set }) => {
        const at = getTimestamp(accounts.clock);
        await changeUser(accounts.store, user.userId, (each) => ({ ...each, loginsSeenAt: at }));
        set.status = 204;
      },
      { may: "account" },
    );
}

/** GET `/proof` responds with 403 if the user must confirm the password first; POST `/proof {password}` confirms it. */
function createReauthenticationRoutes(accounts: Accounts) {
  const { guard, visitorPlugin, throttle, reauthentication } = accounts;
  return new Elysia()
    .use(guard)
    .use(visitorPlugin)
    .get(
      "/proof",
      ({ set }) => {
        set.status = 204;
      },
      { may: { reauthenticated: "secondFactor" } },
    )
    .post(
      "/proof",
      async ({ request, user, visitor, set }) => {
        const { password } = await readFields(request);
        if (typeof password !== "string" || password === "")
          throw invalidField("password", "Enter your password.");
        const attempt = throttle.admitAttempt(visitor, `session ${user.sessionId}`);
        if (!(await isCurrentPassword(accounts, user, password)))
          throw invalidField("password", "The password is wrong.");
        attempt.markSucceeded();
        reauthentication.confirm(user);
        set.status = 204;
      },
      { may: "secondFactor", parse: "none" },
    );
}

const isCurrentPassword = (
  { store, passwords }: Accounts,
  { userId }: SessionUser,
  password: string,
) => passwords.verify(password, getUser(store, userId).passwordHash);

function createProfileRoutes(accounts: Accounts) {
  const { guard, visitorPlugin, store, sessions, throttle } = accounts;
  // Password changes run one at a time, so only one of several with the same current password succeeds.
  const runOneAtATime = pLimit(1);
  return new Elysia()
    .use(guard)
    .use(visitorPlugin)
    .post(
      "/password",
      async ({ request, user, visitor, logAudit }) => {
        const { currentPassword, newPassword } = readPasswords(await readFields(request));
        const attempt = throttle.admitAttempt(visitor, `session ${user.sessionId}`);
        await runOneAtATime(async () => {
          if (!(await isCurrentPassword(accounts, user, currentPassword)))
            throw invalidField("currentPassword", "The current password is wrong.");
          attempt.markSucceeded();
          assertValidPassword(store, user.userId, newPassword);
          // Ends the other sessions twice. If the disk is full, the first call fails, and the password doesn't change.
          // The second call ends the sessions that were started with the old password since the first call.
          await sessions.endOthers(user.userId, user.sessionId);
          await changePassword(accounts, user.userId, newPassword);
          await sessions.endOthers(user.userId, user.sessionId);
          logAudit("people", "changed their password");
        });
        return toCurrentUser(store, getUser(store, user.userId));
      },
      { may: "account" },
    )
    .post(
      "/profile",
      async ({ request, user, logAudit }) => {
        const input = await readFields(request);
        await changeProfile(store, user.userId, input);
        logAudit("people", "changed their username or email address");
        return toCurrentUser(store, getUser(store, user.userId));
      },
      { may: { reauthenticated: "account" }, parse: "none" },
    );
}

function createSessionRoutes({ guard, sessions }: Accounts) {
  return new Elysia()
    .use(guard)
    .get(
      "/sessions",
      ({ user }) =>
        sessions.list(user.userId).map(({ id, createdAt, lastSeenAt, userAgent, address }) => ({
          id,
          current: id === user.sessionId,
          createdAt,
          lastSeenAt,
          userAgent,
          browser: describeBrowser(userAgent),
          address,
        })),
      { may: "account" },
    )
    .delete(
      "/sessions",
      async ({ user, set, logAudit }) => {
        await sessions.endOthers(user.userId, user.sessionId);
        logAudit("people", "logged out their other devices");
        set.status = 204;
      },
      { may: { reauthenticated: "account" } },
    )
    .delete(
      "/sessions/:id",
      async ({ user, params, set, logAudit }) => {
        const session = sessions.list(user.userId).find(({ id }) => id === params.id);
        if (!session) throw noLongerExists(entities.sessions);
        await sessions.end(session.id);
        logAudit("people", "logged out one of their devices", describeBrowser(session.userAgent));
        set.status = 204;
      },
      { may: { reauthenticated: "account" } },
    );
}

/** Returns the logins from new browsers that the user hasn't confirmed, newest first. */
async function findUnseenLogins(
  { store, audit, deviceCookies }: Pick<Accounts, "store" | "audit" | "deviceCookies">,
  request: Request,
  { userId, sessionId }: SessionUser,
) {
  const { loginsSeenAt, createdAt } = getUser(store, userId);
  const currentDevice = deviceCookies.findDeviceName(request, userId);
  const logins = await audit.findLoginsFromNewBrowsers(userId, loginsSeenAt ?? createdAt ?? "");
  return logins
    .filter(
      ({ id, device }) =>
        id !== sessionId && (currentDevice === undefined || device !== currentDevice),
    )
    .map(({ id, at, browser, address }) => ({ id, at, browser, address }));
}

function readPasswords({ currentPassword, newPassword }: BodyFields) {
  if (typeof currentPassword === "string" && typeof newPassword === "string")
    return { currentPassword, newPassword };
  throw invalidInput("Please fill in all fields");
}
