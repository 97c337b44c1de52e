/** The account's passkeys: added, named, removed. */
import Fingerprint from "lucide-react/icons/fingerprint-pattern";
import Plus from "lucide-react/icons/plus";
import Trash from "lucide-react/icons/trash";
import { type FormEvent, useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { api } from "../data/client.ts";
import { failureWords, toastSuccess } from "../../ui/messages.ts";
import { addPasskey, hasPasskeys, passkeyFailure } from "../data/passkeys.ts";
import { type Passkey, refreshSecurity, type SecurityState } from "../data/security.ts";
import { usePending } from "../data/usePending.ts";
import { withToast } from "../data/writes.ts";
import { Card } from "../parts/Card.tsx";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";
import { FieldFrame } from "../parts/FieldFrame.tsx";
import { IconButton } from "../parts/IconButton.tsx";
import { whenInside } from "../parts/when.ts";

const NOTE = "log in with your face or finger";
const NO_BROWSER = "This browser has no passkeys. Use a newer one, or a phone.";

export function Passkeys({ state }: { state: SecurityState }) {
  const [named, setNamed] = useState<"new" | Passkey>();
  const [removed, setRemoved] = useState<Passkey>();
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
      <ul className="account-rows">
        {passkeys.map((passkey) => (
          <li key={passkey.id}>
            <Fingerprint size={18} aria-hidden="true" />
            <div>
              <strong dir="auto">{passkey.name}</strong>
              <span className="quiet">{factsOf(passkey)}</span>
            </div>
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
          </li>
        ))}
        {passkeys.length === 0 && (
          <li>
            <Fingerprint size={18} aria-hidden="true" />
            <div>
              <strong>None yet</strong>
              <span className="quiet">
                {reason ?? "A passkey can't be guessed and has nothing to type."}
              </span>
            </div>
          </li>
        )}
      </ul>
      <NameDialog named={named} onClose={() => setNamed(undefined)} />
      <RemoveDialog removed={removed} onClose={() => setRemoved(undefined)} />
    </Card>
  );
}

function factsOf({ createdAt, lastUsedAt }: Passkey): string {
  const used = lastUsedAt ? `used ${whenInside(lastUsedAt)}` : "not used yet";
  return `added ${whenInside(createdAt)}, ${used}`;
}

interface NameDialogProps {
  readonly named: "new" | Passkey | undefined;
  readonly onClose: () => void;
}

/** Asks for the name first, since the browser's own question comes right after. */
function NameDialog({ named, onClose }: NameDialogProps) {
  const isNew = named === "new";
  return (
    <Dialog
      open={named !== undefined}
      onClose={onClose}
      title={isNew ? "Add a passkey" : "Rename the passkey"}
      size="small"
    >
      {named && <NameForm key={isNew ? "" : named.id} named={named} onClose={onClose} />}
    </Dialog>
  );
}

function NameForm({ named, onClose }: { named: "new" | Passkey; onClose: () => void }) {
  const isNew = named === "new";
  const [name, setName] = useState(isNew ? "" : named.name);
  const [error, setError] = useState<string>();
  const [pending, run] = usePending();
  const save = async () => {
    setError(undefined);
    try {
      if (isNew) await addPasskey(name);
      else await rename(named.id, name);
      toastSuccess(isNew ? "Passkey added. Log in with it next time." : "Passkey renamed");
      onClose();
      await refreshSecurity();
    } catch (failure) {
      setError(isNew ? (passkeyFailure(failure) ?? NOT_ADDED) : failureWords(failure, NOT_RENAMED));
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(save);
  };
  return (
    <form className="fields" onSubmit={submit} noValidate>
      <FieldFrame
        id="passkey-name"
        label="Name"
        hint="Where it is, such as My phone."
        error={error}
      >
        <input
          id="passkey-name"
          maxLength={60}
          autoComplete="off"
          aria-describedby="passkey-name-note"
          aria-invalid={error !== undefined || undefined}
          value={name}
          disabled={pending}
          onChange={({ target }) => setName(target.value)}
          data-autofocus
        />
      </FieldFrame>
      <div className="dialog-actions">
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button variant="primary" type="submit" pending={pending} disabled={name.trim() === ""}>
          {isNew ? (pending ? "Waiting for the passkey..." : "Continue") : "Rename"}
        </Button>
      </div>
    </form>
  );
}

const NOT_ADDED = "No passkey was made.";
const NOT_RENAMED = "Failed to rename the passkey";

const rename = (id: string, name: string) =>
  api.put(`/api/auth/passkeys/${encodeURIComponent(id)}`, { name });

interface RemoveDialogProps {
  readonly removed: Passkey | undefined;
  readonly onClose: () => void;
}

function RemoveDialog({ removed, onClose }: RemoveDialogProps) {
  const [pending, run] = usePending();
  const remove = async () => {
    if (!removed) return;
    const path = `/api/auth/passkeys/${encodeURIComponent(removed.id)}`;
    await withToast(REMOVE, () => api.delete(path));
    onClose();
    await refreshSecurity();
  };
  return (
    <ConfirmDialog
      open={removed !== undefined}
      title={`Remove ${removed?.name ?? "the passkey"}?`}
      keep="Keep it"
      confirm="Remove"
      pending={pending}
      onKeep={onClose}
      onConfirm={() => void run(remove)}
    >
      <p>Nobody can log in with it any more. Your other ways to log in stay.</p>
    </ConfirmDialog>
  );
}

const REMOVE = { success: "Passkey removed", failure: "Failed to remove the passkey" };
