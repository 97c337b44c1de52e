/** The account's passkeys: added, named, removed. */
import { Row, Rows } from "../../../ui/Row.tsx";
import Fingerprint from "lucide-react/icons/fingerprint-pattern";
import Plus from "lucide-react/icons/plus";
import Trash from "lucide-react/icons/trash";
import { useState } from "react";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { TextField } from "../../../ui/Field.tsx";
import { Form, Submit, useForm, useValues } from "../../../ui/Form.tsx";
import { useAction } from "../../../ui/useAction.ts";
import { api } from "../../data/client.ts";
import { addPasskey, hasPasskeys, passkeyFailure } from "./passkeys.ts";
import { type ListedPasskey, refreshSecurity, type SecurityState } from "./security.ts";
import { Card } from "../../parts/Card.tsx";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { whenInside } from "../../../shared/when.ts";

const NOTE = "Log in with your face, fingerprint or screen lock";
const NO_BROWSER = "This browser doesn't support passkeys. Use a newer browser or your phone.";

export function Passkeys({ state }: { state: SecurityState }) {
  const [named, setNamed] = useState<"new" | ListedPasskey>();
  const [removed, setRemoved] = useState<ListedPasskey>();
  const { passkeys, passkeysImpossible } = state;
  const reason = passkeysImpossible ?? (hasPasskeys() ? undefined : NO_BROWSER);
  return (
    <Card
      title="Passkeys"
      note={NOTE}
      flush
      actions={
        !reason && (
          <Button variant="primary" onClick={() => setNamed("new")}>
            <Plus size={16} aria-hidden="true" /> Add a passkey
          </Button>
        )
      }
    >
      <Rows>
        {passkeys.map((passkey) => (
          <Row key={passkey.id} sign={SIGN} title={passkey.name} note={factsOf(passkey)}>
            <Button
              variant="quiet"
              aria-label={`Rename ${passkey.name}`}
              onClick={() => setNamed(passkey)}
            >
              Rename
            </Button>
            <IconButton
              icon={Trash}
              label={`Remove ${passkey.name}`}
              onClick={() => setRemoved(passkey)}
            />
          </Row>
        ))}
        {passkeys.length === 0 && (
          <Row
            sign={SIGN}
            title="None yet"
            note={reason ?? "Passkeys can't be guessed, and there's nothing to type."}
          />
        )}
      </Rows>
      <NameDialog named={named} onClose={() => setNamed(undefined)} />
      <RemoveDialog removed={removed} onClose={() => setRemoved(undefined)} />
    </Card>
  );
}

const SIGN = <Fingerprint size={18} aria-hidden="true" />;

function factsOf({ createdAt, lastUsedAt }: ListedPasskey): string {
  const used = lastUsedAt ? `used ${whenInside(lastUsedAt)}` : "never used";
  return `Added ${whenInside(createdAt)}, ${used}`;
}

interface NameDialogProps {
  readonly named: "new" | ListedPasskey | undefined;
  readonly onClose: () => void;
}

/** Asks for the name first, as the browser's own dialog follows at once. */
function NameDialog({ named, onClose }: NameDialogProps) {
  const isNew = named === "new";
  return (
    <Dialog
      open={named !== undefined}
      onClose={onClose}
      title={isNew ? "Add a passkey" : "Rename passkey"}
      size="small"
    >
      {named && <NameForm key={isNew ? "" : named.id} named={named} onClose={onClose} />}
    </Dialog>
  );
}

function NameForm({ named, onClose }: { named: "new" | ListedPasskey; onClose: () => void }) {
  const isNew = named === "new";
  const form = useForm(useValues({ name: isNew ? "" : named.name }), {
    save: async ({ name }) => {
      await (isNew ? addPasskey(name) : rename(named.id, name));
      onClose();
      void refreshSecurity();
    },
    success: isNew ? "Passkey added. Log in with it next time." : "Passkey renamed",
    failure: isNew
      ? (error) => passkeyFailure(error) ?? "Couldn't create a passkey"
      : "Couldn't rename the passkey",
    failsAt: "name",
  });
  return (
    <Form of={form}>
      <TextField
        name="name"
        label="Name"
        hint="The device it's on, such as My phone."
        most={60}
        autoComplete="off"
        data-autofocus
      />
      <div className="actions">
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Submit
          disabled={form.values.name.trim() === ""}
          pendingLabel={isNew ? "Waiting for the passkey..." : "Rename"}
        >
          {isNew ? "Continue" : "Rename"}
        </Submit>
      </div>
    </Form>
  );
}

const rename = (id: string, name: string) =>
  api.put(`/api/auth/passkeys/${encodeURIComponent(id)}`, { name });

interface RemoveDialogProps {
  readonly removed: ListedPasskey | undefined;
  readonly onClose: () => void;
}

function RemoveDialog({ removed, onClose }: RemoveDialogProps) {
  const [pending, remove] = useAction(
    async () => {
      if (removed) await api.delete(`/api/auth/passkeys/${encodeURIComponent(removed.id)}`);
    },
    {
      success: "Passkey removed",
      failure: "Couldn't remove the passkey",
      after: () => {
        onClose();
        return refreshSecurity();
      },
    },
  );
  return (
    <ConfirmDialog
      open={removed !== undefined}
      title={`Remove ${removed?.name ?? "the passkey"}?`}
      cancel="Cancel"
      confirm="Remove"
      pending={pending}
      onCancel={onClose}
      onConfirm={remove}
    >
      <p>You can't log in with it after that. Your other login methods still work.</p>
    </ConfirmDialog>
  );
}
