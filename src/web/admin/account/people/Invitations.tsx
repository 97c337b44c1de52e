/** Invitations: a form that creates a link, and the rows of pending invitations. */
import { CopyButton } from "../../../ui/CopyButton.tsx";
import { TextField } from "../../../ui/Field.tsx";
import { Form, SubmitButton, useForm, useFormValues } from "../../../ui/Form.tsx";
import { SelectField } from "../../../ui/SelectField.tsx";
import { Avatar, Row } from "../../../ui/Row.tsx";
import LinkIcon from "lucide-react/icons/link";
import Trash from "lucide-react/icons/trash";
import { useState } from "react";
import { type Role, getRoleLabel, ROLES } from "../../../../schema/core/roles.ts";
import { DAY } from "../../../../schema/core/time.ts";
import { formatCount } from "../../../../schema/core/formatNumber.ts";
import { api } from "../../data/client.ts";
import { useAction } from "../../../ui/useAction.ts";
import { Card } from "../../parts/Card.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";

export interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly expiresAt: string;
  readonly madeBy: string | null;
}

/** Returns a sentence about invitations that are revoked because the person who sent them loses owner access. */
export function describeRevokedInvitations([first, ...others]: readonly Invitation[]): string {
  if (!first) return "";
  return others.length === 0
    ? ` The pending invitation for ${first.email} will be revoked too.`
    : ` ${others.length + 1} pending invitations will be revoked too.`;
}

const countDaysUntil = (timestamp: string) =>
  Math.max(1, Math.ceil((Date.parse(timestamp) - Date.now()) / DAY));

interface InvitationRowProps {
  readonly invitation: Invitation;
  /** The name of the person who invited: "you" or a username; undefined if unknown. */
  readonly inviterName: string | undefined;
  readonly onRevoked: () => Promise<unknown>;
}

export function InvitationRow({ invitation, inviterName, onRevoked }: InvitationRowProps) {
  const { id, email, role, expiresAt } = invitation;
  const [daysLeft] = useState(() => countDaysUntil(expiresAt));
  const [isPending, revoke] = useAction(() => api.delete(`/api/invitations/${id}`), {
    success: "Invitation revoked",
    failure: "Couldn't revoke the invitation",
    onSettled: onRevoked,
  });
  return (
    <Row
      icon={<Avatar name={email} />}
      title={email}
      note={`${getRoleLabel(role)} · ${inviterName === undefined ? "invited" : `invited by ${inviterName}`}, expires in ${formatCount(daysLeft, "day")}`}
    >
      <IconButton
        icon={Trash}
        label={`Revoke invitation for ${email}`}
        isUnavailable={isPending}
        onClick={revoke}
      />
    </Row>
  );
}

interface CreatedLink {
  readonly email: string;
  readonly path: string;
}

export function InviteForm({ onInvited }: { onInvited: () => Promise<unknown> }) {
  const formValues = useFormValues<{ email: string; role: Role }>({ email: "", role: "editor" });
  const [createdLink, setCreatedLink] = useState<CreatedLink>();
  const form = useForm(formValues, {
    save: async (invitation) => {
      setCreatedLink(undefined);
      setCreatedLink(await api.post<CreatedLink>("/api/invitations", invitation));
      formValues.setValues({ email: "" });
      await onInvited();
    },
    failure: "Couldn't create the invitation",
    failureField: "email",
  });
  return (
    <Card title="Invite someone">
      <Form form={form} className="fields">
        <div className="split">
          <TextField name="email" label="Their email address" type="email" autoComplete="off" />
          <SelectField name="role" label="Role" options={ROLES} />
        </div>
        <div className="gap-12 row cluster">
          <SubmitButton disabled={form.values.email.trim() === ""}>
            <LinkIcon size={16} aria-hidden="true" /> Create link
          </SubmitButton>
          <span className="quiet small">The link works once and expires in 7 days.</span>
        </div>
        {createdLink && <CreatedLinkMessage key={createdLink.path} {...createdLink} />}
      </Form>
    </Card>
  );
}

/** The server stores only a hash of the link, so the link can't be shown again. */
const CreatedLinkMessage = ({ email, path }: CreatedLink) => (
  <output className="stack">
    <span className="quiet">Send this link to {email}. It's only shown once.</span>
    <CopyButton label="Copy link" text={new URL(path, location.href).href} />
  </output>
);
