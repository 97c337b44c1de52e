/** Invites somebody: an address, a role, a link to share. */
import { Copied } from "../../../ui/Copied.tsx";
import LinkIcon from "lucide-react/icons/link";
import { useState } from "react";
import { type Role, ROLES } from "../../../../schema/roles.ts";
import { Form, Submit, TextField, useForm, useValues } from "../../../ui/Form.tsx";
import { SelectField } from "../../../ui/SelectField.tsx";
import { api } from "../../data/client.ts";
import { Card } from "../../parts/Card.tsx";

interface Made {
  readonly email: string;
  readonly path: string;
}

export function Invite({ onInvited }: { onInvited: () => Promise<unknown> }) {
  const asked = useValues<{ email: string; role: Role }>({ email: "", role: "editor" });
  const [made, setMade] = useState<Made>();
  const form = useForm(asked, {
    save: async (invited) => {
      setMade(undefined);
      setMade(await api.post<Made>("/api/invitations", invited));
      asked.set({ email: "" });
      await onInvited();
    },
    failure: "The invitation couldn't be made.",
    failsAt: "email",
  });
  return (
    <Card title="Invite somebody">
      <Form of={form} className="fields invite">
        <div className="split">
          <TextField name="email" label="Their email" type="email" autoComplete="off" />
          <SelectField name="role" label="Role" options={ROLES} />
        </div>
        <div className="apart line wrap">
          <Submit disabled={form.values.email.trim() === ""}>
            <LinkIcon size={16} aria-hidden="true" /> Make a link
          </Submit>
          <span className="quiet small">The link works once, for 7 days.</span>
        </div>
        {made && <MadeLink key={made.path} {...made} />}
      </Form>
    </Card>
  );
}

/** Shown once: the site stores only what it needs to verify the link. */
const MadeLink = ({ email, path }: Made) => (
  <output className="pile">
    <span className="quiet">Give this link to {email}. It is shown once.</span>
    <Copied label="Copy the link" text={new URL(path, location.href).href} />
  </output>
);
