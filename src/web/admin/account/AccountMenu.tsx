/** The owner's own things: the site's name, password, sessions, everything as one archive. */
import ChevronDown from "lucide-react/icons/chevron-down";
import Download from "lucide-react/icons/download";
import ExternalLink from "lucide-react/icons/external-link";
import KeyRound from "lucide-react/icons/key-round";
import MonitorSmartphone from "lucide-react/icons/monitor-smartphone";
import Settings from "lucide-react/icons/settings";
import { lazy, type ReactNode, Suspense, useRef, useState } from "react";
import type { AccountDialog } from "./AccountDialogs.tsx";

const Dialogs = lazy(async () => ({
  default: (await import("./AccountDialogs.tsx")).AccountDialogs,
}));

/** Renders the menu; its dialogs are fetched when one is opened. */
export function AccountMenu() {
  const menu = useRef<HTMLDivElement>(null);
  const [dialog, setDialog] = useState<AccountDialog | null>(null);
  const [used, setUsed] = useState(false);
  const item = (name: AccountDialog, icon: ReactNode, words: string) => (
    <button
      type="button"
      onClick={() => {
        menu.current?.hidePopover();
        setUsed(true);
        setDialog(name);
      }}
    >
      {icon} {words}
    </button>
  );
  return (
    <div className="account">
      <button
        type="button"
        className="icon-button"
        aria-label="Account"
        title="Account"
        popoverTarget="account-menu"
      >
        <ChevronDown size={16} aria-hidden="true" />
      </button>
      <div ref={menu} id="account-menu" className="account-menu" popover="auto">
        {item("site", <Settings size={16} aria-hidden="true" />, "Site settings")}
        {item("password", <KeyRound size={16} aria-hidden="true" />, "Change password")}
        {item("sessions", <MonitorSmartphone size={16} aria-hidden="true" />, "Sessions")}
        <a href="/" target="_blank" rel="noopener" className="account-view-site">
          <ExternalLink size={16} aria-hidden="true" /> View site
        </a>
        <a href="/api/export" download>
          <Download size={16} aria-hidden="true" /> Export everything
        </a>
      </div>
      {used && (
        <Suspense>
          <Dialogs open={dialog} onClose={() => setDialog(null)} />
        </Suspense>
      )}
    </div>
  );
}
