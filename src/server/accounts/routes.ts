/** Logging in and out; the account menu: changing the password, listing and ending sessions. */
import { Elysia } from "elysia";
import pLimit from "p-limit";
import type { CurrentUser } from "../../schema/accounts.ts";
import { PUBLIC_JSON, readJson } from "../http/body.ts";
import { invalid, wrongCredentials } from "../shared/errors.ts";
import type { Accounts } from "./accounts.ts";
import { changePassword, findUser, requireGoodPassword } from "./owners.ts";

/** `POST /api/auth/login`, `GET /api/auth/me`, `POST /api/auth/logout`. */
export function loginRoutes({ guard, visitors, ...accounts }: Accounts) {
  const { store, passwords, sessions, throttle, browsers, cookie: sessionCookie } = accounts;
  return new Elysia({ prefix: "/api/auth" })
    .use(guard)
    .use(visitors)
    .post(
      "/login",
      async ({ request, visitor, viewer, set }) => {
        const { username, password } = credentials(await readJson(request, PUBLIC_JSON));
        const user = findUser(store, username);
        const browser = browsers.find(request, user?.id);
        await throttle.attempt(visitor, browser);
        const from = browser === undefined ? "stranger" : "known";
        const fits = await passwords.verify(password, user?.passwordHash, from);
        // The password may have been changed while it was compared.
        const still = findUser(store, username)?.passwordHash === user?.passwordHash;
        if (!user || !fits || !still) throw wrongCredentials();
        throttle.succeeded(visitor, browser);
        const token = await sessions.start(user, visitor.userAgent);
        sessionCookie.set(set, token, browsers.cookie(user.id));
        // The browser forgets that one, so nobody could end it (ASVS 5.0, 7.2.4).
        if (viewer) await sessions.end(viewer.sessionId);
        return currentUser(user);
      },
      { viewer: true },
    )
    .get("/me", ({ owner }) => currentUser(owner), { owner: true })
    .post(
      "/logout",
      async ({ viewer, set }) => {
        if (viewer) await sessions.end(viewer.sessionId);
        sessionCookie.clear(set);
        set.status = 204;
      },
      { viewer: true },
    );
}

function credentials(sent: unknown): { username: string; password: string } {
  const { username, password } = (sent ?? {}) as Record<string, unknown>;
  if (isText(username) && isText(password)) return { username, password };
  const wrong = Object.entries({ username, password }).filter(([, value]) => !isText(value));
  const messages = wrong.map(([name]) => [name, "This can't be empty."]);
  throw invalid("Please fill in all fields", Object.fromEntries(messages));
}

const isText = (value: unknown): value is string =>
  typeof value === "string" && value.trim() !== "";

const WRONG = "The current password is wrong.";

/** `POST /api/auth/password`, `GET` and `DELETE /api/auth/sessions`; all the owner's. */
export function ownAccountRoutes({ guard, visitors, ...accounts }: Accounts) {
  const { store, passwords, sessions, throttle } = accounts;
  // Of several changes with the same current password the first wins, and the others find it wrong.
  const oneChange = pLimit(1);
  return new Elysia({ prefix: "/api/auth" })
    .use(guard)
    .use(visitors)
    .post(
      "/password",
      async ({ request, owner, visitor }) => {
        const { currentPassword, newPassword } = passwordsOf(await readJson(request, PUBLIC_JSON));
        const browser = `session ${owner.sessionId}`;
        await throttle.attempt(visitor, browser);
        await oneChange(async () => {
          const hash = findUser(store, owner.username)?.passwordHash;
          if (!(await passwords.verify(currentPassword, hash)))
            throw invalid(WRONG, { currentPassword: WRONG });
          throttle.succeeded(visitor, browser);
          requireGoodPassword(store, owner.userId, newPassword);
          // Twice: a disk that takes nothing has refused before the password changed, and whoever
          // logs in at the same time with the old one is out as well.
          await sessions.endOthers(owner.userId, owner.sessionId);
          await changePassword(accounts, owner.userId, newPassword);
          await sessions.endOthers(owner.userId, owner.sessionId);
        });
        return currentUser(owner);
      },
      { owner: true },
    )
    .get(
      "/sessions",
      ({ owner }) =>
        sessions.list(owner.userId).map(({ id, createdAt, lastSeenAt, userAgent }) => ({
          current: id === owner.sessionId,
          createdAt,
          lastSeenAt,
          userAgent,
        })),
      { owner: true },
    )
    .delete(
      "/sessions",
      async ({ owner, set }) => {
        await sessions.endOthers(owner.userId, owner.sessionId);
        set.status = 204;
      },
      { owner: true },
    );
}

function passwordsOf(sent: unknown): { currentPassword: string; newPassword: string } {
  const { currentPassword, newPassword } = (sent ?? {}) as Record<string, unknown>;
  if (typeof currentPassword === "string" && typeof newPassword === "string")
    return { currentPassword, newPassword };
  throw invalid("Please fill in all fields");
}

/** What is told of a user (specification, section 3, "Current user"). */
export const currentUser = ({ username, email, role }: CurrentUser): CurrentUser => ({
  username,
  email,
  role,
});
