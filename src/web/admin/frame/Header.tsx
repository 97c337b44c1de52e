/** The head of the dashboard: what it is, the site, who, and the way out. */
import { useNavigate } from "@tanstack/react-router";
import ExternalLink from "lucide-react/icons/external-link";
import { useState } from "react";
import type { CurrentUser } from "../../../schema/accounts.ts";
import { showToast } from "../../ui/toast.ts";
import { Button } from "../../ui/Button.tsx";
import { AccountMenu } from "../account/AccountMenu.tsx";
import { unsavedDrafts } from "../drafts/drafts.ts";
import { Badge } from "../parts/Badge.tsx";
import { toastFailure } from "../queries/toasts.ts";
import { logOut } from "../queries/useCurrentUser.ts";
import { Brand } from "./Brand.tsx";
import { capitalised } from "./capitalised.ts";

/** Renders the header. */
export function Header({ user }: { user: CurrentUser }) {
  return (
    <header className="top">
      <Brand />
      <h1>Dashboard</h1>
      <a
        className="ui-button view-site"
        data-variant="quiet"
        href="/"
        target="_blank"
        rel="noopener"
      >
        View site <ExternalLink size={16} aria-hidden="true" />
      </a>
      <span className="top-user">
        <strong>{user.username}</strong> <Badge>{capitalised(user.role)}</Badge>
      </span>
      <AccountMenu />
      <Logout />
    </header>
  );
}

const QUESTION = "You have unsaved changes. They are kept on this device. Log out?";

function Logout() {
  const [pending, setPending] = useState(false);
  const navigate = useNavigate();
  const leave = async () => {
    if (unsavedDrafts().length > 0 && !window.confirm(QUESTION)) return;
    setPending(true);
    try {
      await logOut();
      await navigate({ to: "/admin/login", ignoreBlocker: true });
      showToast({ title: "Logged out", description: "You have been logged out successfully" });
    } catch (error) {
      toastFailure(error, "Failed to log out");
      setPending(false);
    }
  };
  return (
    <Button variant="quiet" pending={pending} onClick={() => void leave()}>
      Logout
    </Button>
  );
}
