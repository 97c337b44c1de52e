/** The owner's rule for all logins: whether a second factor is required. */
import { Elysia } from "elysia";
import { entities } from "../../schema/index.ts";
import { type Fields, readFields } from "../http/body.ts";
import { conflict, invalid } from "../shared/errors.ts";
import type { Accounts } from "./accounts.ts";
import { endInvitationsOf } from "./invitations.ts";
import { changeUser, NO_SECOND_FACTOR, usersOf, userWith } from "./owners.ts";
import { hasSecondFactor } from "./secondFactor.ts";

const NOT_YOURSELF = "Set up a second factor for yourself first, under Security.";
const NOT_OWN = "Change your own second factor under Security.";

/**
 * GET and PUT `/api/login-rules {secondFactor}`; DELETE `/api/users/{id}/second-factor`, for a user who lost theirs.
 * Changes need a proof.
 */
export function loginRuleRoutes({ guard, store, sessions, proof }: Accounts) {
  const rules = store.of(entities.loginRules);
  return new Elysia()
    .use(guard)
    .get("/api/login-rules", () => rules.read().value, { owner: true })
    .put(
      "/api/login-rules",
      async ({ request, owner, happened }) => {
        proof.require(owner);
        const secondFactor = readRule(await readFields(request));
        if (secondFactor && !hasSecondFactor(userWith(store, owner.userId)))
          throw conflict(NOT_YOURSELF);
        await rules.update(() => ({ secondFactor }));
        happened(
          "people",
          secondFactor
            ? "asks everybody for a second factor"
            : "asks nobody for a second factor any more",
        );
        // Existing sessions don't record whether a second factor was used.
        if (secondFactor)
          for (const { id } of usersOf(store).read().value)
            await sessions.endOthers(id, owner.sessionId);
        return rules.read().value;
      },
      { owner: true, parse: "none" },
    )
    .delete(
      "/api/users/:id/second-factor",
      async ({ params, owner, set, happened }) => {
        proof.require(owner);
        const user = userWith(store, params.id);
        const { id, username } = user;
        if (id === owner.userId) throw conflict(NOT_OWN);
        await changeUser(store, id, (user) => ({ ...user, ...NO_SECOND_FACTOR }));
        await sessions.endOthers(id);
        await endInvitationsOf(store, user);
        happened("people", `took away the second factor of ${username}`);
        set.status = 204;
      },
      { owner: true },
    );
}

function readRule({ secondFactor }: Fields): boolean {
  if (typeof secondFactor === "boolean") return secondFactor;
  throw invalid("Choose one of the options.", { secondFactor: "Choose one of the options." });
}
