/** Inviting somebody: an address, a role, a link to hand over. */
import Check from "lucide-react/icons/check";
import Copy from "lucide-react/icons/copy";
import LinkIcon from "lucide-react/icons/link";
import { type FormEvent, useState } from "react";
import { type Role, ROLES } from "../../../schema/roles.ts";
import { Button } from "../../ui/Button.tsx";
import { api } from "../data/client.ts";
import { failureWords } from "../../ui/messages.ts";
import { usePending } from "../data/usePending.ts";
import { Card } from "../parts/Card.tsx";
import { FieldFrame } from "../parts/FieldFrame.tsx";
import { IconButton } from "../parts/IconButton.tsx";
import { useCopied } from "../parts/useCopied.ts";

interface Made {
  readonly email: string;
  readonly path: string;
}

export function Invite({ onInvited }: { onInvited: () => Promise<unknown> }) {
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("editor");
  const [error, setError] = useState<string>();
  const [made, setMade] = useState<Made>();
  const [pending, run] = usePending();
  const invite = async () => {
    setError(undefined);
    setMade(undefined);
    try {
      setMade(await api.post<Made>("/api/invitations", { email, role }));
      setEmail("");
      await onInvited();
    } catch (failure) {
      setError(failureWords(failure, "The invitation couldn't be made."));
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(invite);
  };
  return (
    <Card title="Invite somebody">
      <form className="fields invite" onSubmit={submit} noValidate>
        <div className="invite-asked">
          <FieldFrame id="invite-email" label="Their email" error={error}>
            <input
              id="invite-email"
              type="email"
              autoComplete="off"
              aria-describedby="invite-email-note"
              aria-invalid={error !== undefined || undefined}
              value={email}
              disabled={pending}
              onChange={({ target }) => setEmail(target.value)}
            />
          </FieldFrame>
          <FieldFrame id="invite-role" label="Role">
            <select
              id="invite-role"
              value={role}
              disabled={pending}
              onChange={({ target }) => setRole(target.value as Role)}
            >
              {ROLES.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </FieldFrame>
        </div>
        <div className="invite-go">
          <Button variant="primary" type="submit" pending={pending} disabled={email.trim() === ""}>
            <LinkIcon size={16} aria-hidden="true" /> Make a link
          </Button>
          <span className="quiet">The link works once, for 7 days.</span>
        </div>
        {made && <MadeLink key={made.path} {...made} />}
      </form>
    </Card>
  );
}

/** Shown once: the site keeps no more of it than what it takes to know it again. */
function MadeLink({ email, path }: Made) {
  const address = new URL(path, location.href).href;
  const [copied, copy] = useCopied(address);
  return (
    <output className="invite-made">
      <span className="quiet">Give this link to {email}. It is shown once.</span>
      <span className="invite-link">
        <code>{address}</code>
        <IconButton
          icon={copied ? Check : Copy}
          label={copied ? "Copied" : "Copy the link"}
          onClick={copy}
        />
      </span>
    </output>
  );
}
