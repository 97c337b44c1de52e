/** The lines for the current notices and for new logins. Loaded with the first notice or login. */
import { Link, useNavigate } from "@tanstack/react-router";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import { useState } from "react";
import { Button } from "../../ui/Button.tsx";
import type { UnseenLogin } from "../data/session.ts";
import { useStylesheet } from "../parts/useStylesheet.ts";
import css from "./Notices.css" with { type: "text" };
import ChevronDown from "lucide-react/icons/chevron-down";
import Info from "lucide-react/icons/info";
import { api } from "../data/client.ts";
import { refetchPaths } from "../data/apiQuery.ts";
import { useAction } from "../../ui/useAction.ts";
import { formatRelativeDateTimeInSentence } from "../../shared/formatTimes.ts";

export interface Notice {
  readonly code: string;
  readonly message: string;
  readonly title?: string;
  readonly opens?: { readonly screen: string; readonly label: string };
}

export interface NoticeLinesProps {
  readonly notices: readonly Notice[];
  readonly logins: readonly UnseenLogin[];
}

/** Dismissed notices reappear at the next visit. */
export function NoticeLines({ notices, logins }: NoticeLinesProps) {
  useStylesheet(css);
  const [dismissedMessages, setDismissedMessages] = useState<readonly string[]>([]);
  const visibleNotices = notices.filter(({ message }) => !dismissedMessages.includes(message));
  return (
    <>
      {logins.length > 0 && <UnseenLogins logins={logins} />}
      {visibleNotices.map(({ code, title, message, opens }) => (
        <span key={code} className="notice row cluster gap-12">
          <TriangleAlert size={16} data-tone="warn" aria-hidden="true" />
          <span className="grow">
            {title && <strong>{title}</strong>} {message}
          </span>
          {opens && (
            <Link
              className="ui-button"
              data-size="small"
              to="/admin/dashboard"
              search={({ tab }) => ({ ...(tab && { tab }), account: opens.screen })}
            >
              {opens.label}
            </Link>
          )}
          <Button
            variant="quiet"
            size="small"
            onClick={() => setDismissedMessages([...dismissedMessages, message])}
          >
            Dismiss
          </Button>
        </span>
      ))}
    </>
  );
}

const MAX_NAMED_LOGINS = 3;

/** Lists logins from new browsers until the user has confirmed them. */
function UnseenLogins({ logins }: { logins: readonly UnseenLogin[] }) {
  const navigate = useNavigate();
  const [isConfirming, confirmLogins] = useAction(markLoginsSeen, {
    failure: "Couldn't confirm the logins. Try again.",
  });
  const [isRejecting, rejectLogins] = useAction(
    async () => {
      await api.delete("/api/auth/sessions");
      // The other devices are already logged out, so after a failure only the notice remains.
      await markLoginsSeen().catch(() => undefined);
      await refetchPaths("/api/auth/sessions");
      await navigate({ to: "/admin/dashboard", search: { account: "password" } });
    },
    {
      success: "All other devices are logged out. Now choose a new password.",
      failure: "Couldn't log out the other devices. Try again.",
    },
  );
  const isPending = isConfirming || isRejecting;
  const [isOpen, setOpen] = useState(false);
  return (
    <span className="notice row cluster gap-12" data-tone="news" data-folded={!isOpen || undefined}>
      <Info size={16} className="quiet" aria-hidden="true" />
      <span className="grow">
        {formatLoginCount(logins)}{" "}
        {logins.slice(0, MAX_NAMED_LOGINS).map((login, index) => (
          <span key={login.id}>
            {index > 0 && "; "}
            <strong>{login.browser ?? "Unknown browser"}</strong>
            {login.address && ` from ${login.address}`},{" "}
            {formatRelativeDateTimeInSentence(login.at)}
          </span>
        ))}
        {logins.length > MAX_NAMED_LOGINS && ` and ${logins.length - MAX_NAMED_LOGINS} more`}
      </span>
      <button
        type="button"
        className="icon-button phone-only"
        aria-label="Details"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronDown size={16} aria-hidden="true" />
      </button>
      <span className="notice-actions row">
        <Button size="small" isPending={isPending} onClick={confirmLogins}>
          This was me
        </Button>
        <Button size="small" variant="quiet" isPending={isPending} onClick={rejectLogins}>
          This wasn't me
        </Button>
      </span>
    </span>
  );
}

const formatLoginCount = ({ length }: readonly unknown[]) =>
  length === 1 ? "New login to your account:" : `${length} new logins to your account:`;

async function markLoginsSeen(): Promise<void> {
  await api.post("/api/auth/logins/seen");
  await refetchPaths("/api/auth/logins");
}
