/** Invitations to join as a user. Anyone with an invitation's link can use it, as long as its creator is an owner. */
import { Elysia } from "elysia";
import * as v from "valibot";
import { emailSchema } from "../../schema/core/email.ts";
import { entities, type Item } from "../../schema/index.ts";
import { isOwner, type Role, getRoleLabel } from "../../schema/core/roles.ts";
import { type BodyFields, readCheckedJson, readFields } from "../http/body.ts";
import { getTimestamp, type Clock } from "../shared/clock.ts";
import { conflict, noLongerExists, notFound } from "../shared/errors.ts";
import type { Store } from "../storage/store.ts";
import type { Accounts } from "./accounts.ts";
import { logIn } from "./login.ts";
import { createUser, findUser, roleSchema, listUsers } from "./users.ts";
import { DAY, parseTimestamp } from "../shared/time.ts";

type Invitation = Item<"invitations">;

const DEAD_LINK_MESSAGE = "This invitation no longer works. Ask for a new one.";
const INVITATION_TTL_MS = 7 * DAY;

/** POST `{email, role}` creates an invitation and returns its link's path, which can't be shown again. */
export function createInvitationRoutes({ guard, store, clock, sessions }: Accounts) {
  return new Elysia()
    .use(guard)
    .get("/api/invitations", () => findOpenInvitations(store, clock).map(toInvitationResponse), {
      owner: true,
    })
    .post(
      "/api/invitations",
      async ({ request, owner, set, logAudit }) => {
        const input = await readCheckedJson(invitationBodySchema, request, "email");
        const details = { ...input, madeBy: owner.userId };
        const assertAllowed = () => sessions.assertActive(owner);
        const { invitation, token } = await createInvitation(store, clock, details, assertAllowed);
        logAudit("people", `invited ${invitation.email} as ${getRoleLabel(invitation.role)}`);
        set.status = 201;
        return { ...toInvitationResponse(invitation), path: `/admin/join#token=${token}` };
      },
      { owner: "reauthenticated", parse: "none" },
    )
    .delete(
      "/api/invitations/:id",
      async ({ params, set, logAudit }) => {
        const invitation = findOpenInvitations(store, clock).find(({ id }) => id === params.id);
        if (!invitation) throw noLongerExists(entities.invitations);
        await changeInvitations(store, clock, (all) =>
          all.filter(({ id }) => id !== invitation.id),
        );
        logAudit("people", `revoked the invitation for ${invitation.email}`);
        set.status = 204;
      },
      { owner: "reauthenticated" },
    );
}

/** Revokes a user's open invitations. Called for users who lose their rights, or whose account may be compromised. */
export async function revokeInvitationsOf(store: Store, id: string): Promise<void> {
  const isFromUser = ({ madeBy }: Invitation) => madeBy === id;
  await store
    .of(entities.invitations)
    .update((all) => (all.some(isFromUser) ? all.filter((each) => !isFromUser(each)) : all));
}

const toInvitationResponse = ({ id, email, role, createdAt, expiresAt, madeBy }: Invitation) => ({
  id,
  email,
  role,
  createdAt,
  expiresAt,
  madeBy,
});

const invitationBodySchema = v.object(
  { email: v.nullish(emailSchema, ""), role: roleSchema },
  "Choose one of the options.",
);

/** Returns the unexpired invitations whose creators are still owners. */
function findOpenInvitations(store: Store, clock: Clock): Invitation[] {
  const users = listUsers(store);
  return store
    .of(entities.invitations)
    .read()
    .value.filter(isUnexpired(clock))
    .filter(({ madeBy }) => isOwner(users, madeBy));
}

const isUnexpired = (clock: Clock) => (invitation: Invitation) =>
  clock() < parseTimestamp(invitation.expiresAt);

const changeInvitations = (
  store: Store,
  clock: Clock,
  change: (open: Invitation[]) => Invitation[],
) => store.of(entities.invitations).update((all) => change(all.filter(isUnexpired(clock))));

interface InvitationDetails {
  readonly email: string;
  readonly role: Role;
  readonly madeBy: string;
}

async function createInvitation(
  store: Store,
  clock: Clock,
  details: InvitationDetails,
  assertAllowed: () => void,
) {
  const { email } = details;
  if (findUser(store, email))
    throw conflict("Someone with this email address already has an account.");
  const token = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
  const invitation: Invitation = {
    id: Bun.randomUUIDv7(),
    ...details,
    tokenHash: hashToken(token),
    createdAt: getTimestamp(clock),
    expiresAt: new Date(clock() + INVITATION_TTL_MS).toISOString(),
  };
  await changeInvitations(store, clock, (open) => {
    assertAllowed();
    // A new invitation replaces an earlier one for the same address.
    const others = open.filter((each) => each.email.toLowerCase() !== email.toLowerCase());
    if (others.length >= entities.invitations.maxItems)
      throw conflict(TOO_MANY_INVITATIONS_MESSAGE);
    return [...others, invitation];
  });
  return { invitation, token };
}

const TOO_MANY_INVITATIONS_MESSAGE = `At most ${entities.invitations.maxItems} invitations can be pending. Revoke one first.`;

/** Only this hash of a token is stored, so the data contains no valid link. */
const hashToken = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("base64url");

/** POST `/api/join/invitation {token}` reads an invitation; POST `/api/join {token, username, password}` accepts it. */
export function createJoinRoutes(accounts: Accounts) {
  const { visitorPlugin, store, clock } = accounts;
  /** Finds the invitation by its token's hash, so that the response time reveals nothing about valid tokens. */
  const findInvitation = ({ token }: BodyFields): Invitation => {
    const hash = typeof token === "string" ? hashToken(token) : undefined;
    const invitation = findOpenInvitations(store, clock).find(
      ({ tokenHash }) => tokenHash === hash,
    );
    if (!invitation) throw notFound(DEAD_LINK_MESSAGE);
    return invitation;
  };
  return new Elysia({ prefix: "/api/join" })
    .use(visitorPlugin)
    .post("/invitation", async ({ request }) => {
      const { email, role } = findInvitation(await readFields(request));
      return { email, role, siteName: store.of(entities.site).read().value.name };
    })
    .post("", async ({ request, visitor, set }) => {
      const input = await readFields(request);
      const { id, email, role } = findInvitation(input);
      const { username, password } = input;
      // The user gets the invitation's address, which must be unique, so only one of two simultaneous uses succeeds.
      const newUser = { username, email, password };
      const user = await createUser(accounts, newUser, {
        role: role as Role,
        assertAllowed: () => void findInvitation(input),
        inSameTransaction: (transaction) =>
          transaction
            .of(entities.invitations)
            .update((all) => all.filter((each) => each.id !== id)),
      });
      set.status = 201;
      const action = `joined as ${getRoleLabel(role)}`;
      return logIn(accounts, user, { request, visitor, set, action, input });
    });
}
