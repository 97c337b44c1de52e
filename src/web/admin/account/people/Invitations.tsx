/** Open invitations: recipient, inviter, expiry. */
import { Avatar, Row } from "../../../ui/Row.tsx";
import Trash from "lucide-react/icons/trash";
import { useState } from "react";
import { type Role, roleLabel } from "../../../../schema/roles.ts";
import { DAY } from "../../../../schema/time.ts";
import { counted } from "../../../../schema/grouped.ts";
import { api } from "../../data/client.ts";
import { useAction } from "../../../ui/useAction.ts";
import { Badge } from "../../parts/Card.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";

export interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly expiresAt: string;
  /** The inviter's id; null if unknown. */
  readonly madeBy: string | null;
}

/** The end of a dialog about a person's rights: which invitations end too. */
export function endingWords([only, ...more]: readonly Invitation[]): string {
  if (!only) return "";
  return more.length === 0
    ? ` The open invitation of ${only.email} ends too.`
    : ` ${more.length + 1} open invitations end too.`;
}

const daysUntil = (moment: string) =>
  Math.max(1, Math.ceil((Date.parse(moment) - Date.now()) / DAY));

interface InvitationRowProps {
  readonly invitation: Invitation;
  /** "you" or a username; undefined if unknown. */
  readonly madeBy: string | undefined;
  readonly onTakenBack: () => Promise<unknown>;
}

export function InvitationRow({ invitation, madeBy, onTakenBack }: InvitationRowProps) {
  const { id, email, role, expiresAt } = invitation;
  const [left] = useState(() => daysUntil(expiresAt));
  const [pending, takeBack] = useAction(() => api.delete(`/api/invitations/${id}`), {
    success: "Invitation revoked",
    failure: "Failed to take it back",
    after: onTakenBack,
  });
  return (
    <Row
      sign={<Avatar name={email} />}
      title={email}
      note={`${madeBy === undefined ? "invited" : `invited by ${madeBy}`}, ${counted(left, "day")} left`}
      className="person wrap"
    >
      <Badge>{roleLabel(role)}</Badge>
      <IconButton
        icon={Trash}
        label={`Take back the invitation of ${email}`}
        disabled={pending}
        onClick={takeBack}
      />
    </Row>
  );
}
