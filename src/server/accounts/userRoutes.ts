/** The owners' routes for users, their roles, and the rule for all logins: whether a second factor is required. */
import { Elysia } from "elysia";
import * as v from "valibot";
import { entities } from "../../schema/index.ts";
import { getRoleLabel } from "../../schema/core/roles.ts";
import { readCheckedJson } from "../http/body.ts";
import { conflict, noLongerExists } from "../shared/errors.ts";
import type { Store } from "../storage/store.ts";
import type { Accounts } from "./accounts.ts";
import type { SessionUser } from "./guard.ts";
import { revokeInvitationsOf, createInvitationRoutes } from "./invitations.ts";
import {
  SECOND_FACTOR_RESET,
  OWNER_ROLE,
  roleSchema,
  requireOwner,
  type User,
  listUsers,
  getUser,
} from "./users.ts";
import { hasSecondFactor } from "./secondFactor.ts";

const SELF_SECOND_FACTOR_FIRST_MESSAGE =
  "Set up two-factor authentication for yourself first, under Security.";
const SELF_SECOND_FACTOR_MESSAGE = "Change your own two-factor authentication under Security.";
const OWNER_NEEDED_MESSAGE = "A site needs at least one owner. Make someone else an owner first.";

export function createUserRoutes(accounts: Accounts) {
  const { guard, store, sessions } = accounts;
  return new Elysia()
    .use(createLoginRuleRoutes(accounts))
    .use(createInvitationRoutes(accounts))
    .use(guard)
    .get(
      "/api/users",
      ({ owner }) =>
        listUsers(store).map((user) => ({
          ...toUserResponse(user),
          lastSeenAt: sessions.list(user.id)[0]?.lastSeenAt ?? null,
          current: user.id === owner.userId,
        })),
      { owner: true },
    )
    .put(
      "/api/users/:id",
      async ({ request, params, owner, logAudit }) => {
        const { role } = await readCheckedJson(roleBodySchema, request, "role");
        const formerUser = getUser(store, params.id);
        await changeAsOwner(accounts, owner, params.id, (user) => ({ ...user, role }));
        if (role !== OWNER_ROLE) await revokeOwnerRights(store, formerUser);
        const user = getUser(store, params.id);
        logAudit("people", `changed ${user.username}'s role to ${getRoleLabel(role)}`);
        return toUserResponse(user);
      },
      { owner: "reauthenticated", parse: "none" },
    )
    .delete(
      "/api/users/:id",
      async ({ params, owner, set, logAudit }) => {
        const removed = getUser(store, params.id);
        await changeAsOwner(accounts, owner, params.id, () => []);
        await sessions.endOthers(params.id);
        await revokeOwnerRights(store, removed);
        logAudit("people", `removed ${removed.username}`);
        set.status = 204;
      },
      { owner: "reauthenticated" },
    );
}

/** Deletes a former owner's invitations and calendar link for good, even if the user becomes an owner again. */
async function revokeOwnerRights(store: Store, user: User): Promise<void> {
  await revokeInvitationsOf(store, user.id);
  await store
    .of(entities.callsCalendar)
    .update((value) =>
      value.madeBy === user.id ? { ...value, keyHash: "", madeBy: "", madeAt: null } : value,
    );
}

const toUserResponse = (user: User) => {
  const { id, username, email, role, createdAt } = user;
  return { id, username, email, role, createdAt, secondFactor: hasSecondFactor(user) };
};

/** Throws a 401 or a 403 if the owner was logged out, removed or demoted since the request arrived. */
function assertOwner({ sessions }: Accounts, owner: SessionUser, users: readonly User[]): void {
  sessions.assertActive(owner);
  requireOwner(users, owner.userId);
}

/**
 * Replaces a user with the result of `change`; an empty list removes the user. Throws a 401 or a 403 if `owner` is no
 * longer an owner at the time of the write, a 404 if the user doesn't exist, and a 409 if no owner would be left.
 */
const changeAsOwner = (
  accounts: Accounts,
  owner: SessionUser,
  userId: string,
  change: (user: User) => User | readonly [],
) =>
  accounts.store.of(entities.users).update((users) => {
    assertOwner(accounts, owner, users);
    if (!users.some(({ id }) => id === userId)) throw noLongerExists(entities.users);
    const changed = users.flatMap((user) => (user.id === userId ? change(user) : user));
    if (!changed.some(({ role }) => role === OWNER_ROLE)) throw conflict(OWNER_NEEDED_MESSAGE);
    return changed;
  });

/** DELETE `/api/users/{id}/second-factor` is for users who lost their device. */
function createLoginRuleRoutes(accounts: Accounts) {
  const { guard, store, sessions } = accounts;
  const rules = store.of(entities.loginRules);
  return new Elysia()
    .use(guard)
    .get("/api/login-rules", () => rules.read().value, { owner: true })
    .put(
      "/api/login-rules",
      async ({ request, owner, logAudit }) => {
        const { secondFactor } = await readCheckedJson(ruleBodySchema, request, "secondFactor");
        if (secondFactor && !hasSecondFactor(getUser(store, owner.userId)))
          throw conflict(SELF_SECOND_FACTOR_FIRST_MESSAGE);
        await rules.update(() => {
          assertOwner(accounts, owner, listUsers(store));
          return { secondFactor };
        });
        logAudit(
          "people",
          secondFactor
            ? "made two-factor authentication required for everyone"
            : "made two-factor authentication optional",
        );
        // Ends all other sessions, because those that began without a second factor can't be told from the rest.
        if (secondFactor)
          for (const { id } of listUsers(store)) await sessions.endOthers(id, owner.sessionId);
        return rules.read().value;
      },
      { owner: "reauthenticated", parse: "none" },
    )
    .delete(
      "/api/users/:id/second-factor",
      async ({ params, owner, set, logAudit }) => {
        const { id, username } = getUser(store, params.id);
        if (id === owner.userId) throw conflict(SELF_SECOND_FACTOR_MESSAGE);
        await changeAsOwner(accounts, owner, id, (user) => ({ ...user, ...SECOND_FACTOR_RESET }));
        await sessions.endOthers(id);
        await revokeInvitationsOf(store, id);
        logAudit("people", `removed ${username}'s two-factor authentication`);
        set.status = 204;
      },
      { owner: "reauthenticated" },
    );
}

const CHOOSE_MESSAGE = "Choose one of the options.";

// `v.object` gets the message too, because it reports a missing field.
const roleBodySchema = v.object({ role: roleSchema }, CHOOSE_MESSAGE);
const ruleBodySchema = v.object({ secondFactor: v.boolean(CHOOSE_MESSAGE) }, CHOOSE_MESSAGE);
