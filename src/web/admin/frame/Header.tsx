/** The dashboard's header: logo, user, account menu, logout. */
import { useNavigate } from "@tanstack/react-router";
import ChevronDown from "lucide-react/icons/chevron-down";
import ExternalLink from "lucide-react/icons/external-link";
import { type FocusEvent, useRef, useState } from "react";
import type { CurrentUser } from "../../../schema/people/accounts.ts";
import { Button } from "../../ui/Button.tsx";
import { showToast } from "../../ui/toast.ts";
import type { AccountMenuProps } from "../account/AccountMenu.tsx";
import { findUnsavedDrafts } from "../data/drafts.ts";
import { deleteDrafts } from "../data/draftStorage.ts";
import { useAction } from "../../ui/useAction.ts";
import { logOut } from "../data/session.ts";
import { Badge } from "../parts/Card.tsx";
import { createLazyComponent } from "../parts/lazyComponent.tsx";
import { Loading } from "../../ui/AsyncContent.tsx";
import type { LogoutQuestionProps } from "./LogoutQuestion.tsx";
import { BrandLogo } from "./Stage.tsx";

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
  const [asking, setAsking] = useState(false);
  const navigate = useNavigate();
  const [pending, leave] = useAction(
    async (shouldRetain: boolean) => {
      await logOut();
      if (!shouldRetain) deleteDrafts();
      await navigate({ to: "/admin/login", ignoreBlocker: true });
      showToast({ title: "Logged out", description: "You have been logged out successfully" });
    },
    { failure: "Couldn't log out. Try again." },
  );
  return (
    <>
      <Button
        variant="quiet"
        pending={pending}
        onClick={() => (findUnsavedDrafts().length > 0 ? setAsking(true) : leave(true))}
      >
        Logout
      </Button>
      {asking && (
        <LazyLogoutQuestion pending={pending} onStay={() => setAsking(false)} onLeave={leave} />
      )}
    </>
  );
}

const LazyLogoutQuestion = createLazyComponent<LogoutQuestionProps>({
  subject: "the question",
  loadCode: async () => (await import("./LogoutQuestion.tsx")).LogoutQuestion,
  placeholder: null,
});

const LazyAccountMenu = createLazyComponent<AccountMenuProps>({
  subject: "the menu",
  loadCode: async () => (await import("../account/AccountMenu.tsx")).AccountMenu,
  placeholder: <Loading message="Loading..." rows={0} />,
});

/** The menu's code is loaded when the button is first pointed at. */
function AccountMenuButton({ user }: { user: CurrentUser }) {
  const menu = useRef<HTMLDivElement>(null);
  const [used, setUsed] = useState(false);
  const use = () => setUsed(true);
  // The open menu would cover the element that Tab focuses next.
  const leave = ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
    if (relatedTarget && !currentTarget.contains(relatedTarget)) menu.current?.hidePopover();
  };
  return (
    <div className="account" onBlur={leave}>
      <button
        type="button"
        className="icon-button"
        aria-label="Account"
        title="Account"
        popoverTarget="account-menu"
        onPointerEnter={use}
        onClick={use}
      >
        <ChevronDown size={16} aria-hidden="true" />
      </button>
      <div ref={menu} id="account-menu" className="account-menu" popover="auto">
        {used && (
          <LazyAccountMenu
            user={user}
            role={capitalize(user.role)}
            onChoose={() => menu.current?.hidePopover()}
          />
        )}
      </div>
    </div>
  );
}

export function capitalize(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
