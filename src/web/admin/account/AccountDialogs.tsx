/** The dialogs of the account menu. */
import { Dialog } from "../../ui/Dialog.tsx";
import { ChangePassword } from "./ChangePassword.tsx";
import { Sessions } from "./Sessions.tsx";
import { SiteSettings } from "./SiteSettings.tsx";

/** Which one is open. */
export type AccountDialog = "site" | "password" | "sessions";

const TITLES: Readonly<Record<AccountDialog, string>> = {
  site: "Site settings",
  password: "Change password",
  sessions: "Sessions",
};

const BODIES = { site: SiteSettings, password: ChangePassword, sessions: Sessions } as const;

/** `open` is null while none is. */
export interface AccountDialogsProps {
  readonly open: AccountDialog | null;
  readonly onClose: () => void;
}

/** Renders the three dialogs, of which one at most is open. */
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
