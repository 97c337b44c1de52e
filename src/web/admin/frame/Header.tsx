/** The dashboard's header, and the three cards above every tab. */
import { useNavigate } from "@tanstack/react-router";
import ChevronDown from "lucide-react/icons/chevron-down";
import ExternalLink from "lucide-react/icons/external-link";
import { type FocusEvent, useRef, useState, type ReactNode } from "react";
import type { CurrentUser } from "../../../schema/people/accounts.ts";
import { Button } from "../../ui/Button.tsx";
import { showToast } from "../../ui/toast.ts";
import type { AccountMenuProps } from "../account/AccountMenu.tsx";
import { cancelUploads, hasUploads } from "../data/activeUploads.ts";
import { findUnsavedDrafts } from "../data/drafts.ts";
import { deleteAllDrafts } from "../data/draftStorage.ts";
import { useAction } from "../../ui/useAction.ts";
import { logOut } from "../data/session.ts";
import { Badge } from "../parts/Card.tsx";
import { createLazyComponent } from "../parts/lazyComponent.tsx";
import { Loading } from "../../ui/AsyncContent.tsx";
import type { LogoutQuestionProps } from "./LogoutQuestion.tsx";
import { BrandLogo } from "./StandalonePage.tsx";
import type { LucideIcon } from "lucide-react";
import Activity from "lucide-react/icons/activity";
import ShieldCheck from "lucide-react/icons/shield-check";
import User from "lucide-react/icons/user";
import { hasPermission } from "../../../schema/core/roles.ts";

export function Header({ user }: { user: CurrentUser }) {
  return (
    <header className="top row gap-12 border-bottom">
      <BrandLogo />
      <h1 className="quiet">Dashboard</h1>
      <a className="ui-button" data-variant="quiet" href="/" target="_blank" rel="noopener">
        View site <ExternalLink size={16} aria-hidden="true" />
      </a>
      <span className="top-user row small desktop-only">
        <strong>{user.username}</strong> <Badge>{capitalize(user.role)}</Badge>
      </span>
      <AccountMenuButton user={user} />
      <LogoutButton />
    </header>
  );
}

function LogoutButton() {
  const [isAsking, setAsking] = useState(false);
  const navigate = useNavigate();
  const [isPending, leave] = useAction(
    async (shouldRetain: boolean) => {
      // The server would refuse an upload after the logout, and a login dialog would open.
      cancelUploads();
      await logOut();
      if (!shouldRetain) deleteAllDrafts();
      await navigate({ to: "/admin/login", ignoreBlocker: true });
      showToast({ title: "Logged out", description: "You have been logged out successfully" });
    },
    { failure: "Couldn't log out. Try again." },
  );
  return (
    <>
      <Button
        variant="quiet"
        isPending={isPending}
        onClick={() =>
          findUnsavedDrafts().length > 0 || hasUploads() ? setAsking(true) : leave(true)
        }
      >
        Logout
      </Button>
      {isAsking && (
        <LazyLogoutQuestion isPending={isPending} onStay={() => setAsking(false)} onLeave={leave} />
      )}
    </>
  );
}

const LazyLogoutQuestion = createLazyComponent<LogoutQuestionProps>({
  subject: "the logout dialog",
  loadCode: async () => (await import("./LogoutQuestion.tsx")).LogoutQuestion,
  placeholder: null,
});

const LazyAccountMenu = createLazyComponent<AccountMenuProps>({
  subject: "the menu",
  loadCode: async () => (await import("../account/AccountMenu.tsx")).AccountMenu,
  placeholder: <Loading message="Loading..." rows={0} />,
});

/** The menu's code is loaded when the button is first pointed at or pressed. */
function AccountMenuButton({ user }: { user: CurrentUser }) {
  const menuRef = useRef<HTMLDivElement>(null);
  const [isMenuNeeded, setIsMenuNeeded] = useState(false);
  const loadMenu = () => setIsMenuNeeded(true);
  // Closes the menu when the focus leaves it, since the menu would cover the focused element.
  const closeOnLeave = ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
    if (relatedTarget && !currentTarget.contains(relatedTarget)) menuRef.current?.hidePopover();
  };
  return (
    <div className="account" onBlur={closeOnLeave}>
      <button
        type="button"
        className="icon-button"
        aria-label="Account"
        title="Account"
        popoverTarget="account-menu"
        onPointerEnter={loadMenu}
        onClick={loadMenu}
      >
        <ChevronDown size={16} aria-hidden="true" />
      </button>
      <div ref={menuRef} id="account-menu" className="account-menu" popover="auto">
        {isMenuNeeded && (
          <LazyAccountMenu
            user={user}
            roleLabel={capitalize(user.role)}
            onChoose={() => menuRef.current?.hidePopover()}
          />
        )}
      </div>
    </div>
  );
}

function capitalize(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

export function InfoCards({ user }: { user: CurrentUser }) {
  const [isFolded, setIsFolded] = useState(true);
  return (
    <section className="info-cards" aria-label="Overview" data-folded={isFolded || undefined}>
      <button
        type="button"
        className="infos-line card row small phone-only"
        aria-expanded={!isFolded}
        onClick={() => setIsFolded(!isFolded)}
      >
        <span className="dot" data-tone="ok" />
        <strong className="truncate">{user.username}</strong>
        <span className="quiet">{capitalize(user.role)} · Active</span>
        <ChevronDown className="quiet" size={16} aria-hidden="true" />
      </button>
      <InfoCard icon={User} label="Active User" value={user.username} note={user.email} />
      <InfoCard
        icon={ShieldCheck}
        label="Role"
        value={capitalize(user.role)}
        note={hasPermission(user.role, "site") ? "Administrative access" : "Limited access"}
      />
      <InfoCard
        icon={Activity}
        label="Status"
        value={
          <>
            <span className="dot" data-tone="ok" />
            <span>Active</span>
          </>
        }
        note="System operational: your site is online"
      />
    </section>
  );
}

interface InfoCardProps {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly value: ReactNode;
  readonly note: string;
}

function InfoCard({ icon: Icon, label, value, note }: InfoCardProps) {
  return (
    <div className="info card row align-start gap-12">
      <Icon size={16} className="faint" aria-hidden="true" />
      <div className="cluster">
        <span className="quiet note full-width">{label}</span>
        <span className="row medium">{value}</span>
        <span className="quiet small">{note}</span>
      </div>
    </div>
  );
}
