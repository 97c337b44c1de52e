/** The people who log in: who they are and what they may, invitations, and how one is taken. */
import { Elysia } from "elysia";
import * as v from "valibot";
import { emailSchema } from "../../schema/email.ts";
import { entities, type Item } from "../../schema/index.ts";
import { type Role, roleLabel, ROLES } from "../../schema/roles.ts";
import { PUBLIC_JSON, readJson } from "../http/body.ts";
import { type Clock, isoTime } from "../shared/clock.ts";
import { conflict, gone, invalid, notFound } from "../shared/errors.ts";
import type { Store } from "../storage/store.ts";
import type { Accounts } from "./accounts.ts";
import { logIn } from "./login.ts";
import { loginRuleRoutes } from "./loginRules.ts";
import { createOwner, findUser, type User, usersOf, userWith } from "./owners.ts";
import { hasSecondFactor } from "./secondFactor.ts";

type Invitation = Item<"invitations">;

const OWNER: Role = "admin";
const NEEDS_OWNER = "A site needs an owner. Make somebody else an owner first.";
const DEAD_LINK = "This invitation no longer works. Ask for a new one.";
const WORKS_MS = 7 * 24 * 3600_000;

/**
 * GET `/api/users`, PUT `/api/users/{id} {role}`, DELETE. GET and POST `/api/invitations {email, role}`,
 * which returns the link's path once; DELETE takes one back. Changes need a proof.
 */
export function peopleRoutes(accounts: Accounts) {
  const { guard, store, sessions, clock, proof } = accounts;
  return new Elysia()
    .use(loginRuleRoutes(accounts))
    .use(guard)
    .get(
      "/api/users",
      ({ owner }) =>
        usersOf(store)
          .read()
          .value.map((user) => ({
            ...shownUser(user),
            lastSeenAt: sessions.list(user.id)[0]?.lastSeenAt ?? null,
            current: user.id === owner.userId,
          })),
      { owner: true },
    )
    .put(
      "/api/users/:id",
      async ({ request, params, owner, happened }) => {
        proof.require(owner);
        const role = readRole(await readJson(request, PUBLIC_JSON));
        await usersOf(store).update((users) =>
          withAnOwner(
            users,
            users.map((user) => (user.id === params.id ? { ...user, role } : user)),
            params.id,
          ),
        );
        const user = userWith(store, params.id);
        happened("people", `gave ${user.username} the role ${roleLabel(role)}`);
        return shownUser(user);
      },
      { owner: true, parse: "none" },
    )
    .delete(
      "/api/users/:id",
      async ({ params, owner, set, happened }) => {
        proof.require(owner);
        const { username } = userWith(store, params.id);
        await usersOf(store).update((users) =>
          withAnOwner(
            users,
            users.filter(({ id }) => id !== params.id),
            params.id,
          ),
        );
        await sessions.endOthers(params.id);
        happened("people", `removed ${username}`);
        set.status = 204;
      },
      { owner: true },
    )
    .get("/api/invitations", () => openOnes(store, clock).map(shownInvitation), { owner: true })
    .post(
      "/api/invitations",
      async ({ request, owner, set, happened }) => {
        proof.require(owner);
        const sent = await readJson(request, PUBLIC_JSON);
        const { invitation, token } = await invite(store, clock, readEmail(sent), readRole(sent));
        happened("people", `invited ${invitation.email} as ${roleLabel(invitation.role)}`);
        set.status = 201;
        return { ...shownInvitation(invitation), path: `/admin/join#token=${token}` };
      },
      { owner: true, parse: "none" },
    )
    .delete(
      "/api/invitations/:id",
      async ({ params, set, happened }) => {
        const taken = openOnes(store, clock).find(({ id }) => id === params.id);
        if (!taken) throw gone(entities.invitations);
        await changeInvitations(store, clock, (all) => all.filter(({ id }) => id !== taken.id));
        happened("people", `took back the invitation of ${taken.email}`);
        set.status = 204;
      },
      { owner: true },
    );
}

const shownUser = (user: User) => {
  const { id, username, email, role, createdAt } = user;
  return { id, username, email, role, createdAt, secondFactor: hasSecondFactor(user) };
};

const shownInvitation = ({ id, email, role, createdAt, expiresAt }: Invitation) => ({
  id,
  email,
  role,
  createdAt,
  expiresAt,
});

/** The users after a change, of which one at least has to be an owner. Throws a 404 or a 409. */
function withAnOwner(before: readonly User[], after: User[], changed: string): User[] {
  if (!before.some(({ id }) => id === changed)) throw gone(entities.users);
  if (!after.some(({ role }) => role === OWNER)) throw conflict(NEEDS_OWNER);
  return after;
}

function readRole(sent: unknown): Role {
  const { role } = (sent ?? {}) as { role?: unknown };
  const known = ROLES.find(({ value }) => value === role);
  if (known) return known.value;
  throw invalid("Choose one of the options.", { role: "Choose one of the options." });
}

function readEmail(sent: unknown): string {
  const { email } = (sent ?? {}) as { email?: unknown };
  const outcome = v.safeParse(emailSchema, email ?? "");
  if (outcome.success) return outcome.output;
  const { message } = outcome.issues[0];
  throw invalid(message, { email: message });
}

// Invitations: of each only the token's hash is kept, so that nothing that is stored opens the site.

const openOnes = (store: Store, clock: Clock): Invitation[] =>
  store.of(entities.invitations).read().value.filter(isOpen(clock));

const isOpen = (clock: Clock) => (invitation: Invitation) =>
  clock() < Date.parse(invitation.expiresAt!);

const changeInvitations = (
  store: Store,
  clock: Clock,
  change: (open: Invitation[]) => Invitation[],
) => store.of(entities.invitations).update((all) => change(all.filter(isOpen(clock))));

async function invite(store: Store, clock: Clock, email: string, role: Role) {
  const isAlready = "Somebody with this email address logs in here already.";
  if (findUser(store, email)) throw conflict(isAlready);
  const token = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
  const invitation: Invitation = {
    id: Bun.randomUUIDv7(),
    email,
    role,
    tokenHash: sha256(token),
    createdAt: isoTime(clock),
    expiresAt: new Date(clock() + WORKS_MS).toISOString(),
  };
  await changeInvitations(store, clock, (open) => {
    // A new link ends the earlier one.
    const others = open.filter((each) => each.email.toLowerCase() !== email.toLowerCase());
    if (others.length >= entities.invitations.limit) throw conflict(TOO_MANY);
    return [...others, invitation];
  });
  return { invitation, token };
}

const TOO_MANY = `At most ${entities.invitations.limit} invitations are open at a time. Take one back first.`;

const sha256 = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("base64url");

/**
 * What an invited person calls: POST `/api/join/invitation {token}` returns whose and for what it is,
 * POST `/api/join {token, username, password}` uses it up and logs in. 404 for a dead link.
 */
export function joinRoutes({ visitors, ...accounts }: Accounts) {
  const { store, clock } = accounts;
  /** Looked up by its hash, which takes no longer for a token that is nearly right. */
  const invitationOf = (sent: unknown): Invitation => {
    const { token } = (sent ?? {}) as { token?: unknown };
    const hash = typeof token === "string" ? sha256(token) : undefined;
    const found = openOnes(store, clock).find(({ tokenHash }) => tokenHash === hash);
    if (!found) throw notFound(DEAD_LINK);
    return found;
  };
  return new Elysia({ prefix: "/api/join" })
    .use(visitors)
    .post("/invitation", async ({ request }) => {
      const { email, role } = invitationOf(await readJson(request, PUBLIC_JSON));
      return { email, role, siteName: store.of(entities.site).read().value.name };
    })
    .post("", async ({ request, visitor, set }) => {
      const sent = (await readJson(request, PUBLIC_JSON)) as Record<string, unknown> | null;
      const { id, email, role } = invitationOf(sent);
      const { username, password } = sent!;
      // An address occurs once among users, so that of two at once with one link one gets in.
      const person = { username, email, password };
      const user = await createOwner(accounts, person, { role: role as Role });
      await changeInvitations(store, clock, (open) => open.filter((each) => each.id !== id));
      set.status = 201;
      const how = `joined as ${roleLabel(role)}`;
      return logIn(accounts, user, { request, visitor, session: undefined, set, how });
    });
}
