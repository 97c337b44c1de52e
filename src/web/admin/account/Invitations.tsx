/** The invitations that are open: whom they are for, who made them, what ends them. */
import Trash from "lucide-react/icons/trash";
import { useState } from "react";
import { type Role, roleLabel } from "../../../schema/roles.ts";
import { api } from "../data/client.ts";
import { usePending } from "../data/usePending.ts";
import { withToast } from "../data/writes.ts";
import { Badge } from "../parts/Card.tsx";
import { IconButton } from "../parts/IconButton.tsx";
import { Mark } from "./Mark.tsx";

export interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly expiresAt: string;
  /** The id of who made it; null where that isn't known. */
  readonly madeBy: string | null;
}

/** The end of a dialog about somebody's rights: which invitations go with them. */
export function endingWords([only, ...more]: readonly Invitation[]): string {
  if (!only) return "";
  return more.length === 0
    ? ` The open invitation of ${only.email} ends too.`
    : ` ${more.length + 1} open invitations end too.`;
}

const DAY_MS = 24 * 3600_000;

const daysUntil = (moment: string) =>
  Math.max(1, Math.ceil((Date.parse(moment) - Date.now()) / DAY_MS));

interface InvitationRowProps {
  readonly invitation: Invitation;
  /** "you" or a username; undefined where it isn't known. */
  readonly madeBy: string | undefined;
  readonly onTakenBack: () => Promise<unknown>;
}

export function InvitationRow({ invitation, madeBy, onTakenBack }: InvitationRowProps) {
  const { id, email, role, expiresAt } = invitation;
  const [pending, run] = usePending();
  const [left] = useState(() => daysUntil(expiresAt));
  const takeBack = async () => {
    const words = { success: "Invitation taken back", failure: "Failed to take it back" };
    const path = `/api/invitations/${id}`;
    await withToast(words, () => api.delete(path));
    await onTakenBack();
  };
  return (
    <li>
      <Mark name={email} />
      <div>
        <strong dir="auto">{email}</strong>
        <span className="quiet">
          {madeBy === undefined ? "invited" : `invited by ${madeBy}`},{" "}
          {left === 1 ? "1 day" : `${left} days`} left
        </span>
      </div>
      <Badge>{roleLabel(role)}</Badge>
      <IconButton
        icon={Trash}
        label={`Take back the invitation of ${email}`}
        disabled={pending}
        onClick={() => void run(takeBack)}
      />
    </li>
  );
}
