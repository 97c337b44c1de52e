/** The people who log in, their permissions, and invitations. */
import { Avatar, Row, Rows } from "../../../ui/Row.tsx";
import { Options } from "../../../ui/SelectField.tsx";
import ShieldOff from "lucide-react/icons/shield-off";
import Trash from "lucide-react/icons/trash";
import { useState } from "react";
import { type Role, getRoleLabel, ROLES } from "../../../../schema/core/roles.ts";
import { api } from "../../data/client.ts";
import { refetchPaths, createApiQuery, useApiQuery } from "../../data/apiQuery.ts";
import { useAction } from "../../../ui/useAction.ts";
import { Badge, Card } from "../../parts/Card.tsx";
import { ConfirmDialog, type ConfirmDialogProps } from "../../parts/ConfirmDialog.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { useStylesheet } from "../../parts/useStylesheet.ts";
import { formatRelativeDateTimeInSentence } from "../../../shared/formatTimes.ts";
import { AsyncContent } from "../../../ui/AsyncContent.tsx";
import {
  describeRevokedInvitations,
  type Invitation,
  InvitationRow,
  InviteForm,
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
  /** Whether the person has an authenticator app or a passkey. */
  readonly secondFactor: boolean;
}

export function People() {
  useStylesheet(css);
  return (
    <AsyncContent state={useApiQuery(peopleQuery)} subject="people" rows={2}>
      {(state) => <PeopleList {...state} />}
    </AsyncContent>
  );
}

interface PeopleState {
  readonly people: readonly Person[];
  readonly invitations: readonly Invitation[];
  readonly rules: { readonly secondFactor: boolean };
}

const peopleQuery = createApiQuery<PeopleState>("/api/users", {
  read: async (path) => ({
    people: await api.get<Person[]>(path),
    invitations: await api.get<Invitation[]>("/api/invitations"),
    rules: await api.get<PeopleState["rules"]>("/api/login-rules"),
  }),
});

function PeopleList({ people, invitations, rules }: PeopleState) {
  const isOnlyOwner = (person: Person) =>
    person.role === "admin" && people.filter(({ role }) => role === "admin").length === 1;
  return (
    <>
      <Card title="People" isFlush>
        <Rows>
          {people.map((person) => (
            <PersonRow
              key={person.id}
              person={person}
              isOnlyOwner={isOnlyOwner(person)}
              // These invitations are revoked when the person loses owner access.
              invitations={invitations.filter(({ madeBy }) => madeBy === person.id)}
            />
          ))}
          {invitations.map((invitation) => (
            <InvitationRow
              key={invitation.id}
              invitation={invitation}
              inviterName={findInviterName(invitation, people)}
              onRevoked={refresh}
            />
          ))}
        </Rows>
      </Card>
      <LoginRules
        isRequired={rules.secondFactor}
        hasSecondFactor={people.some(({ current, secondFactor }) => current && secondFactor)}
        countWithoutSecondFactor={people.filter(({ secondFactor }) => !secondFactor).length}
        onChanged={refresh}
      />
      <InviteForm onInvited={refresh} />
      <Card title="Permissions" isFlush>
        <dl className="permissions divided">
          {ROLES.map(({ value, label, description }) => (
            <div key={value} className="split pad">
              <dt>
                <strong>{label}</strong>
              </dt>
              <dd className="quiet small">{description}</dd>
            </div>
          ))}
        </dl>
      </Card>
    </>
  );
}

function findInviterName({ madeBy }: Invitation, people: readonly Person[]): string | undefined {
  const inviter = people.find(({ id }) => id === madeBy);
  return inviter?.current ? "you" : inviter?.username;
}

const refresh = () => refetchPaths("/api/users");

interface PersonRowProps {
  readonly person: Person;
  /** Whether the person is the only owner. The only owner can't be demoted or removed. */
  readonly isOnlyOwner: boolean;
  readonly invitations: readonly Invitation[];
}

function PersonRow({ person, isOnlyOwner, invitations }: PersonRowProps) {
  const { username, email, role, lastSeenAt, current, secondFactor } = person;
  const [openQuestion, setOpenQuestion] = useState<QuestionKind>();
  const [chosenRole, setChosenRole] = useState<string>(role);
  const closeQuestion = () => setOpenQuestion(undefined);
  const { isPending, isChangingRole, actions } = usePersonActions(person, closeQuestion);
  const chooseRole = (newRole: string) => {
    if (isPending) return;
    setChosenRole(newRole);
    if (current || role === "admin") setOpenQuestion("role");
    else actions.role(newRole);
  };
  return (
    <Row
      icon={<Avatar name={username} />}
      title={username}
      note={`${email} · ${current ? "you" : describeLastActivity(lastSeenAt)}${secondFactor ? "" : " · no two-factor authentication"}`}
      className={isOnlyOwner ? "" : "person cluster"}
    >
      {isOnlyOwner ? (
        <Badge>{getRoleLabel(role)}</Badge>
      ) : (
        <>
          <select
            aria-label={`Role of ${username}`}
            value={isChangingRole ? chosenRole : role}
            aria-busy={isPending}
            onChange={({ target }) => chooseRole(target.value)}
          >
            <Options options={ROLES} />
          </select>
          {secondFactor && !current && (
            <IconButton
              icon={ShieldOff}
              label={`Remove two-factor authentication for ${username}`}
              onClick={() => setOpenQuestion("reset")}
            />
          )}
          <IconButton
            icon={Trash}
            label={`Remove ${username}`}
            onClick={() => setOpenQuestion("remove")}
          />
          {QUESTION_KINDS.map((kind) => (
            <PersonQuestionDialog
              key={kind}
              {...createConfirmation(kind, person, chosenRole)}
              isOpen={openQuestion === kind}
              isPending={isPending}
              invitations={invitations}
              onCancel={closeQuestion}
              onConfirm={() => actions[kind](chosenRole)}
            />
          ))}
        </>
      )}
    </Row>
  );
}

const describeLastActivity = (lastSeenAt: Person["lastSeenAt"]) =>
  lastSeenAt ? `last active ${formatRelativeDateTimeInSentence(lastSeenAt)}` : "not logged in";

interface PersonQuestionProps extends Omit<ConfirmDialogProps, "cancelLabel" | "children"> {
  readonly text: string;
  readonly invitations: readonly Invitation[];
}

const PersonQuestionDialog = ({ text, invitations, ...dialog }: PersonQuestionProps) => (
  <ConfirmDialog {...dialog}>
    <p>
      {text}
      {describeRevokedInvitations(invitations)}
    </p>
  </ConfirmDialog>
);

const QUESTION_KINDS = ["role", "reset", "remove"] as const;

type QuestionKind = (typeof QUESTION_KINDS)[number];

type PersonActions = Readonly<Record<QuestionKind, (role: string) => void>>;

/** Returns the actions on a person. `onSettled` runs after each action, even if the action fails. */
function usePersonActions({ id, username, current }: Person, onSettled: () => void) {
  const path = `/api/users/${id}`;
  const finish = () => {
    onSettled();
    // The user's own role determines what the dashboard shows, so the user is loaded again.
    return current ? refetchPaths("/api/auth/me") : refresh();
  };
  const [isChangingRole, changeRole] = useAction(
    async (newRole: string) => {
      await api.put(path, { role: newRole });
      return newRole;
    },
    {
      success: (newRole) => `${username}'s role is now ${getRoleLabel(newRole)}`,
      failure: "Couldn't change the role",
      onSettled: finish,
    },
  );
  const [isResetting, resetSecondFactor] = useAction(() => api.delete(`${path}/second-factor`), {
    success: `Two-factor authentication removed for ${username}`,
    failure: "Couldn't remove two-factor authentication",
    onSettled: finish,
  });
  const [isRemoving, remove] = useAction(() => api.delete(path), {
    success: `${username} was removed`,
    failure: `Couldn't remove ${username}`,
    onSettled: finish,
  });
  return {
    isPending: isChangingRole || isRemoving || isResetting,
    isChangingRole,
    actions: { role: changeRole, reset: resetSecondFactor, remove } as PersonActions,
  };
}

function createConfirmation(
  question: QuestionKind,
  { username, current }: Person,
  newRole: string,
) {
  if (question === "role")
    return {
      title: `Change ${current ? "your" : `${username}'s`} role to ${getRoleLabel(newRole)}?`,
      confirmLabel: "Change role",
      text: `This takes effect immediately. ${
        current ? "Only another owner can change it back." : "They lose owner access."
      }`,
    };
  if (question === "reset")
    return {
      title: `Remove two-factor authentication for ${username}?`,
      confirmLabel: "Remove",
      text: "Use this if they've lost their phone, and only after checking that the request is really from them. They'll be logged out, and their authenticator app, recovery codes and passkeys will stop working.",
    };
  return {
    title: `Remove ${username}?`,
    confirmLabel: "Remove",
    text: "They'll be logged out immediately and can no longer log in. Their work is kept.",
  };
}
