/** Adds, renames and removes the account's passkeys. */
import { Row, Rows } from "../../../ui/Row.tsx";
import Fingerprint from "lucide-react/icons/fingerprint-pattern";
import Plus from "lucide-react/icons/plus";
import Trash from "lucide-react/icons/trash";
import { useState } from "react";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { TextField } from "../../../ui/Field.tsx";
import { Form, SubmitButton, useForm, useFormValues } from "../../../ui/Form.tsx";
import { useAction } from "../../../ui/useAction.ts";
import { api } from "../../data/client.ts";
import { addPasskey, arePasskeysSupported, describePasskeyFailure } from "./passkeys.ts";
import { type ListedPasskey, refreshSecurity, type SecurityState } from "./security.ts";
import { Card } from "../../parts/Card.tsx";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { formatRelativeDateTimeInSentence } from "../../../shared/formatTimes.ts";

const PASSKEY_NOTE = "Log in with your face, fingerprint or screen lock";
const UNSUPPORTED_MESSAGE =
  "This browser doesn't support passkeys. Use a newer browser or your phone.";

export function Passkeys({ state }: { state: SecurityState }) {
  const [passkeyToName, setPasskeyToName] = useState<"new" | ListedPasskey>();
  const [passkeyToRemove, setPasskeyToRemove] = useState<ListedPasskey>();
  const { passkeys, passkeysImpossible } = state;
  const unsupportedReason =
    passkeysImpossible ?? (arePasskeysSupported() ? undefined : UNSUPPORTED_MESSAGE);
  return (
    <Card
      title="Passkeys"
      note={PASSKEY_NOTE}
      isFlush
      actions={
        !unsupportedReason && (
          <Button variant="primary" onClick={() => setPasskeyToName("new")}>
            <Plus size={16} aria-hidden="true" /> Add a passkey
          </Button>
        )
      }
    >
      <Rows>
        {passkeys.map((passkey) => (
          <Row
            key={passkey.id}
            icon={PASSKEY_ICON}
            title={passkey.name}
            note={describePasskey(passkey)}
          >
            <Button
              variant="quiet"
              aria-label={`Rename ${passkey.name}`}
              onClick={() => setPasskeyToName(passkey)}
            >
              Rename
            </Button>
            <IconButton
              icon={Trash}
              label={`Remove ${passkey.name}`}
              onClick={() => setPasskeyToRemove(passkey)}
            />
          </Row>
        ))}
        {passkeys.length === 0 && (
          <Row
            icon={PASSKEY_ICON}
            title="None yet"
            note={unsupportedReason ?? "Passkeys can't be guessed, and there's nothing to type."}
          />
        )}
      </Rows>
      <NameDialog passkey={passkeyToName} onClose={() => setPasskeyToName(undefined)} />
      <RemoveDialog passkey={passkeyToRemove} onClose={() => setPasskeyToRemove(undefined)} />
    </Card>
  );
}

const PASSKEY_ICON = <Fingerprint size={18} aria-hidden="true" />;

function describePasskey({ createdAt, lastUsedAt }: ListedPasskey): string {
  const usage = lastUsedAt ? `used ${formatRelativeDateTimeInSentence(lastUsedAt)}` : "never used";
  return `Added ${formatRelativeDateTimeInSentence(createdAt)}, ${usage}`;
}

interface NameDialogProps {
  readonly passkey: "new" | ListedPasskey | undefined;
  readonly onClose: () => void;
}

function NameDialog({ passkey, onClose }: NameDialogProps) {
  const isNew = passkey === "new";
  return (
    <Dialog
      isOpen={passkey !== undefined}
      onClose={onClose}
      title={isNew ? "Add a passkey" : "Rename passkey"}
      size="small"
    >
      {passkey && <NameForm key={isNew ? "" : passkey.id} passkey={passkey} onClose={onClose} />}
    </Dialog>
  );
}

function NameForm({ passkey, onClose }: { passkey: "new" | ListedPasskey; onClose: () => void }) {
  const isNew = passkey === "new";
  const form = useForm(useFormValues({ name: isNew ? "" : passkey.name }), {
    save: async ({ name }) => {
      await (isNew ? addPasskey(name) : renamePasskey(passkey.id, name));
      onClose();
      void refreshSecurity();
    },
    success: isNew ? "Passkey added. Log in with it next time." : "Passkey renamed",
    failure: isNew
      ? (error) => describePasskeyFailure(error) ?? "Couldn't create a passkey"
      : "Couldn't rename the passkey",
    failureField: "name",
  });
  return (
    <Form form={form}>
      <TextField
        name="name"
        label="Name"
        hint={`The device it's on, such as "My phone".`}
        maxCharacters={60}
        autoComplete="off"
        data-autofocus
      />
      <div className="actions">
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton
          disabled={form.values.name.trim() === ""}
          pendingLabel={isNew ? "Waiting for the passkey..." : "Rename"}
        >
          {isNew ? "Continue" : "Rename"}
        </SubmitButton>
      </div>
    </Form>
  );
}

const renamePasskey = (id: string, name: string) =>
  api.put(`/api/auth/passkeys/${encodeURIComponent(id)}`, { name });

interface RemoveDialogProps {
  readonly passkey: ListedPasskey | undefined;
  readonly onClose: () => void;
}

function RemoveDialog({ passkey, onClose }: RemoveDialogProps) {
  const [isPending, remove] = useAction(
    async () => {
      if (passkey) await api.delete(`/api/auth/passkeys/${encodeURIComponent(passkey.id)}`);
    },
    {
      success: "Passkey removed",
      failure: "Couldn't remove the passkey",
      onSettled: () => {
        onClose();
        return refreshSecurity();
      },
    },
  );
  return (
    <ConfirmDialog
      isOpen={passkey !== undefined}
      title={`Remove ${passkey?.name ?? "the passkey"}?`}
      confirmLabel="Remove"
      isPending={isPending}
      onCancel={onClose}
      onConfirm={remove}
    >
      <p>
        You'll no longer be able to log in with this passkey. Your other login methods still work.
      </p>
    </ConfirmDialog>
  );
}
