/** The account menu: another password, and where one is logged in. */
import { Elysia } from "elysia";
import { PUBLIC_JSON, readJson } from "../http/body.ts";
import { invalid } from "../http/refusal.ts";
import type { Accounts } from "./accounts.ts";
import { currentUser } from "./loginCalls.ts";
import { changePassword, findUser, requireGoodPassword } from "./owners.ts";

const WRONG = "The current password is not right.";

/** `POST /api/auth/password`, `GET` and `DELETE /api/auth/sessions`; all the owner's. */
export function ownAccountCalls({ guard, visitors, ...accounts }: Accounts) {
  const { store, passwords, sessions, throttle } = accounts;
  return new Elysia({ prefix: "/api/auth" })
    .use(guard)
    .use(visitors)
    .post(
      "/password",
      async ({ request, owner, visitor }) => {
        const { currentPassword, newPassword } = passwordsOf(await readJson(request, PUBLIC_JSON));
        throttle.attempt(visitor);
        const hash = findUser(store, owner.username)?.passwordHash;
        if (!(await passwords.verify(currentPassword, hash)))
          throw invalid(WRONG, { currentPassword: WRONG });
        throttle.succeeded(visitor);
        requireGoodPassword(store, owner.userId, newPassword);
        // Twice: a disk that takes nothing has refused before the password changed, and whoever
        // logs in meanwhile with the old one is out as well.
        await sessions.endOthers(owner.userId, owner.sessionId);
        await changePassword({ ...accounts }, owner.userId, newPassword);
        await sessions.endOthers(owner.userId, owner.sessionId);
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
