/** The people who log in, their permissions, and invitations. */
import { Avatar, Row, Rows } from "../../../ui/Row.tsx";
import ShieldOff from "lucide-react/icons/shield-off";
import Trash from "lucide-react/icons/trash";
import { useState } from "react";
import { type Role, roleLabel, ROLES } from "../../../../schema/core/roles.ts";
import { api } from "../../data/client.ts";
import { refetch, resource, useResource } from "../../data/resource.ts";
import { useAction } from "../../../ui/useAction.ts";
import { Badge, Card } from "../../parts/Card.tsx";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { useSheet } from "../../parts/useSheet.ts";
import { whenInside } from "../../../shared/when.ts";
import { Read } from "../../../ui/Read.tsx";
import {
  endingInvitationsMessage,
  type Invitation,
  InvitationRow,
  Invite,
} from "./Invitations.tsx";
import { LoginRules } from "./LoginRules.tsx";
import css from "./People.css" with { type: "text" };

interface Person {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly role: Role;
  readonly lastSeenAt: string | null;
  readonly current: boolean;
  /** An authenticator app or a passkey. */
  readonly secondFactor: boolean;
}

export function People() {
  useSheet(css);
  return (
    <Read of={useResource(everybody)} what="people" rows={2}>
      {(state) => <Everybody {...state} />}
    </Read>
  );
}

interface EverybodyState {
  readonly people: readonly Person[];
  readonly invitations: readonly Invitation[];
  readonly rules: { readonly secondFactor: boolean };
}

const everybody = resource<EverybodyState>("/api/users", {
  read: async (path) => ({
    people: await api.get<Person[]>(path),
    invitations: await api.get<Invitation[]>("/api/invitations"),
    rules: await api.get<EverybodyState["rules"]>("/api/login-rules"),
  }),
});

function Everybody({ people, invitations, rules }: EverybodyState) {
  const isOnlyOwner = (person: Person) =>
    person.role === "admin" && people.filter(({ role }) => role === "admin").length === 1;
  return (
    <>
      <Card title="People" flush>
        <Rows>
          {people.map((person) => (
            <PersonRow
              key={person.id}
              person={person}
              isFixed={isOnlyOwner(person)}
              invited={invitations.filter(isEndedWith(person))}
            />
          ))}
          {invitations.map((invitation) => (
            <InvitationRow
              key={invitation.id}
              invitation={invitation}
              madeBy={makerOf(invitation, people)}
              onTakenBack={refresh}
            />
          ))}
        </Rows>
      </Card>
      <LoginRules
        isAsked={rules.secondFactor}
        hasOwn={people.some(({ current, secondFactor }) => current && secondFactor)}
        without={people.filter(({ secondFactor }) => !secondFactor).length}
        onChanged={refresh}
      />
      <Invite onInvited={refresh} />
      <Card title="Permissions" flush>
        <dl className="permissions divided">
          {ROLES.map(({ value, label, may }) => (
            <div key={value} className="split pad">
              <dt className="bold">{label}</dt>
              <dd className="quiet small">{may}</dd>
            </div>
          ))}
        </dl>
      </Card>
    </>
  );
}

/** An invitation ends with its inviter's rights. */
const isEndedWith =
  ({ id }: Person) =>
  ({ madeBy }: Invitation) =>
    madeBy === id;

function makerOf({ madeBy }: Invitation, people: readonly Person[]): string | undefined {
  const maker = people.find(({ id }) => id === madeBy);
  return maker?.current ? "you" : maker?.username;
}

const refresh = () => refetch("/api/users");

interface PersonRowProps {
  readonly person: Person;
  /** The last owner, who can't be demoted or removed. */
  readonly isFixed: boolean;
  /** Invitations that end with these rights. */
  readonly invited: readonly Invitation[];
}

function PersonRow({ person, isFixed, invited }: PersonRowProps) {
  const { id, username, email, role, lastSeenAt, current, secondFactor } = person;
  const [asks, setAsks] = useState<"remove" | "reset" | "role">();
  const [chosen, choose] = useState<string>(role);
  const path = `/api/users/${id}`;
  const after = () => {
    setAsks(undefined);
    // Users who change themselves see another dashboard.
    return current ? refetch("/api/auth/me") : refresh();
  };
  const [giving, give] = useAction(
    async (to: string) => {
      await api.put(path, { role: to });
      return to;
    },
    {
      success: (to) => `${username}'s role is now ${roleLabel(to)}`,
      failure: "Couldn't change the role",
      after,
    },
  );
  const [removing, remove] = useAction(() => api.delete(path), {
    success: `${username} was removed`,
    failure: `Couldn't remove ${username}`,
    after,
  });
  const [resetting, reset] = useAction(() => api.delete(`${path}/second-factor`), {
    success: `Two-factor authentication removed for ${username}`,
    failure: "Couldn't remove it",
    after,
  });
  const pending = giving || removing || resetting;
  const chooseRole = (to: string) => {
    choose(to);
    if (current || role === "admin") setAsks("role");
    else give(to);
  };
  const here = lastSeenAt ? `last active ${whenInside(lastSeenAt)}` : "not logged in";
  return (
    <Row
      sign={<Avatar name={username} />}
      title={username}
      note={`${email} · ${current ? "you" : here}${secondFactor ? "" : " · no two-factor authentication"}`}
      className="person cluster"
    >
      {isFixed ? (
        <Badge>{roleLabel(role)}</Badge>
      ) : (
        <>
          <select
            aria-label={`Role of ${username}`}
            value={role}
            disabled={pending}
            onChange={({ target }) => chooseRole(target.value)}
          >
            {ROLES.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
          {secondFactor && !current && (
            <IconButton
              icon={ShieldOff}
              label={`Remove two-factor authentication for ${username}`}
              onClick={() => setAsks("reset")}
            />
          )}
          <IconButton icon={Trash} label={`Remove ${username}`} onClick={() => setAsks("remove")} />
        </>
      )}
      <ConfirmDialog
        open={asks === "role"}
        title={
          current
            ? `Change your role to ${roleLabel(chosen)}?`
            : `Change ${username}'s role to ${roleLabel(chosen)}?`
        }
        keep="Cancel"
        confirm="Change role"
        pending={pending}
        onKeep={() => setAsks(undefined)}
        onConfirm={() => give(chosen)}
      >
        <p>
          {current
            ? "This takes effect immediately. Only another owner can change it back."
            : "This takes effect immediately. They lose owner access."}
          {endingInvitationsMessage(invited)}
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        open={asks === "reset"}
        title={`Remove two-factor authentication for ${username}?`}
        keep="Cancel"
        confirm="Remove"
        pending={pending}
        onKeep={() => setAsks(undefined)}
        onConfirm={reset}
      >
        <p>
          Use this if they've lost their phone, and only after checking that the request is really
          from them. They'll be logged out, and their authenticator app, recovery codes and passkeys
          will stop working.
          {endingInvitationsMessage(invited)}
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        open={asks === "remove"}
        title={`Remove ${username}?`}
        keep="Cancel"
        confirm="Remove"
        pending={pending}
        onKeep={() => setAsks(undefined)}
        onConfirm={remove}
      >
        <p>
          They'll be logged out immediately and can no longer log in. Their work is kept.
          {endingInvitationsMessage(invited)}
        </p>
      </ConfirmDialog>
    </Row>
  );
}
