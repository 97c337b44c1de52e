/** Confirms the password before requests that a stolen session must not allow (`Reauthentication` in guard.ts). */
import { Elysia } from "elysia";
import { type BodyFields, readFields } from "../http/body.ts";
import { invalidInput } from "../shared/errors.ts";
import type { Accounts } from "./accounts.ts";
import { findUser } from "./users.ts";

const WRONG_PASSWORD_MESSAGE = "The password is wrong.";

/** GET `/api/auth/proof` responds with 204, or 403 if the password is needed. POST `{password}` confirms it. */
export function reauthenticationRoutes({
  guard,
  visitors,
  store,
  passwords,
  throttle,
  proof,
}: Accounts) {
  return new Elysia({ prefix: "/api/auth" })
    .use(guard)
    .use(visitors)
    .get(
      "/proof",
      ({ user, set }) => {
        proof.require(user);
        set.status = 204;
      },
      { may: "secondFactor" },
    )
    .post(
      "/proof",
      async ({ request, user, visitor, set }) => {
        const password = readPassword(await readFields(request));
        const attempt = throttle.admitAttempt(visitor, `session ${user.sessionId}`);
        const hash = findUser(store, user.username)?.passwordHash;
        if (!(await passwords.verify(password, hash)))
          throw invalidInput(WRONG_PASSWORD_MESSAGE, { password: WRONG_PASSWORD_MESSAGE });
        attempt.succeeded();
        proof.confirm(user);
        set.status = 204;
      },
      { may: "secondFactor", parse: "none" },
    );
}

function readPassword({ password }: BodyFields): string {
  if (typeof password === "string" && password !== "") return password;
  throw invalidInput("Enter your password.", { password: "Enter your password." });
}
