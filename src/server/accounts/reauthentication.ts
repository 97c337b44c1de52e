/** Asks for the password again before actions that a stolen session must not allow (see `Proof` in guard.ts). */
import { Elysia } from "elysia";
import { type Fields, readFields } from "../http/body.ts";
import { invalid } from "../shared/errors.ts";
import type { Accounts } from "./accounts.ts";
import { findUser } from "./users.ts";

const WRONG = "The password is wrong.";

/** GET `/api/auth/proof`: 204, or a 403 if the next call would be refused; POST `{password}`: 204. */
export function proofRoutes({ guard, visitors, store, passwords, throttle, proof }: Accounts) {
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
        const password = passwordOf(await readFields(request));
        const attempt = throttle.attempt(visitor, `session ${user.sessionId}`);
        const hash = findUser(store, user.username)?.passwordHash;
        if (!(await passwords.verify(password, hash))) throw invalid(WRONG, { password: WRONG });
        attempt.succeeded();
        proof.confirm(user);
        set.status = 204;
      },
      { may: "secondFactor", parse: "none" },
    );
}

function passwordOf({ password }: Fields): string {
  if (typeof password === "string" && password !== "") return password;
  throw invalid("Enter your password.", { password: "Enter your password." });
}
