/** The dialogs of the account menu: the site's name, the password, the sessions. */
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { MIN_PASSWORD_LENGTH } from "../../../schema/accounts.ts";
import { call, CallFailed } from "../../shared/api.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { withSession } from "../data/client.ts";
import { failureWords, toastSuccess } from "../data/messages.ts";
import { useDraft } from "../data/useDraft.ts";
import { usePending } from "../data/usePending.ts";
import { withToast } from "../data/writes.ts";
import { EntityForm } from "../editor/Field.tsx";
import { ItemActions } from "../editor/ItemForm.tsx";
import { Badge } from "../parts/Card.tsx";
import { FieldFrame, PasswordInput } from "../parts/FieldFrame.tsx";
import { useSheet } from "../parts/useSheet.ts";
import { when } from "../parts/when.ts";
import { LoadFailed, Loading, WhenRead } from "../parts/WhenRead.tsx";
import css from "./AccountDialogs.css" with { type: "text" };

export type AccountDialog = "site" | "password" | "sessions";

/** `open` is null while none is. */
export interface AccountDialogsProps {
  readonly open: AccountDialog | null;
  readonly onClose: () => void;
}

/** Of the three one at most is open. */
export function AccountDialogs({ open, onClose }: AccountDialogsProps) {
  return (Object.keys(BODIES) as AccountDialog[]).map((name) => {
    const Body = BODIES[name];
    return (
      <Dialog key={name} open={open === name} onClose={onClose} title={TITLES[name]} size="small">
        <Body onDone={onClose} />
      </Dialog>
    );
  });
}

const TITLES: Readonly<Record<AccountDialog, string>> = {
  site: "Site settings",
  password: "Change password",
  sessions: "Sessions",
};

const BODIES = { site: SiteSettings, password: ChangePassword, sessions: Sessions } as const;

/** Whose site it is: name, contact address, credit. */
export function SiteSettings({ onDone }: { onDone: () => void }) {
  const draft = useDraft("site", { inBar: false, onSaved: onDone });
  return (
    <WhenRead of={draft} what="the site">
      {() => (
        <>
          <EntityForm draft={draft} />
          <ItemActions
            draft={draft}
            onClose={onDone}
            save="Save"
            disabled={draft.dirty.length === 0}
          />
        </>
      )}
    </WhenRead>
  );
}

/** Another password; it ends every other session. */
export function ChangePassword({ onDone }: { onDone: () => void }) {
  const [passwords, setPasswords] = useState({ currentPassword: "", newPassword: "" });
  const [wrong, setWrong] = useState<Partial<typeof passwords>>({});
  const [pending, run] = usePending();
  const change = async () => {
    setWrong({});
    try {
      const options = { method: "POST", body: passwords } as const;
      await withSession(() => call("/api/auth/password", options));
      toastSuccess("Password changed. Other devices are logged out.");
      onDone();
    } catch (error) {
      setWrong(wrongFields(error));
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(change);
  };
  const field = (name: keyof typeof passwords, label: string, complete: string, hint?: string) => (
    <FieldFrame id={name} label={label} hint={hint} error={wrong[name]}>
      <PasswordInput
        id={name}
        autoComplete={complete}
        aria-describedby={`${name}-note`}
        aria-invalid={wrong[name] !== undefined || undefined}
        value={passwords[name]}
        disabled={pending}
        onChange={(value) => setPasswords({ ...passwords, [name]: value })}
      />
    </FieldFrame>
  );
  return (
    <form className="fields" onSubmit={submit} noValidate>
      {field("currentPassword", "Current password", "current-password")}
      {field("newPassword", "New password", "new-password", LENGTH_HINT)}
      <div className="dialog-actions">
        <Button variant="quiet" onClick={onDone}>
          Cancel
        </Button>
        <Button variant="primary" type="submit" pending={pending}>
          {pending ? "Changing..." : "Change password"}
        </Button>
      </div>
    </form>
  );
}

const LENGTH_HINT = `At least ${MIN_PASSWORD_LENGTH} characters.`;

function wrongFields(error: unknown): Partial<Record<"currentPassword" | "newPassword", string>> {
  const fields = error instanceof CallFailed ? error.body.fields : undefined;
  return fields ?? { newPassword: failureWords(error, "The password couldn't be changed.") };
}

interface Session {
  readonly current: boolean;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  readonly userAgent: string | null;
}

/** Where the owner is logged in, and how to end all sessions but this one. */
export function Sessions() {
  useSheet(css);
  const { data, error, refetch } = useQuery({
    queryKey: ["auth", "sessions"],
    staleTime: 0,
    queryFn: () => withSession(() => call<Session[]>("/api/auth/sessions")),
  });
  const [pending, run] = usePending();
  if (error) return <LoadFailed what="the sessions" onRetry={() => void refetch()} />;
  if (!data) return <Loading words="Loading sessions..." rows={2} />;
  const endOthers = async () => {
    await withToast(END_WORDS, () =>
      withSession(() => call("/api/auth/sessions", { method: "DELETE" })),
    );
    await refetch();
  };
  return (
    <>
      <ul className="sessions">
        {data.map((session) => (
          <li key={session.createdAt + session.lastSeenAt}>
            <span>
              <strong>{browserOf(session.userAgent)}</strong>
              <span className="quiet">Last used {when(session.lastSeenAt)}</span>
            </span>
            {session.current && <Badge tone="ok">This device</Badge>}
          </li>
        ))}
      </ul>
      <div className="dialog-actions">
        <Button pending={pending} disabled={data.length < 2} onClick={() => void run(endOthers)}>
          End other sessions
        </Button>
      </div>
    </>
  );
}

const END_WORDS = {
  success: "All other sessions ended",
  failure: "Failed to end the other sessions",
};

const BROWSERS = ["Firefox", "Edg", "OPR", "Chrome", "Safari"] as const;
const NAMES: Readonly<Record<string, string>> = { Edg: "Edge", OPR: "Opera" };

function browserOf(userAgent: string | null): string {
  const found = BROWSERS.find((name) => userAgent?.includes(name));
  return found === undefined ? "Unknown browser" : (NAMES[found] ?? found);
}
