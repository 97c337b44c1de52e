/** The current notices. Loaded with the first one. */
import { Link } from "@tanstack/react-router";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import { useState } from "react";
import { Button } from "../../ui/Button.tsx";
import type { UnseenLogin } from "../data/session.ts";
import { useStylesheet } from "../parts/useStylesheet.ts";
import { UnseenLogins } from "./UnseenLogins.tsx";
import css from "./Notices.css" with { type: "text" };

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

/** Dismissed notices reappear with the next visit. */
export function NoticeLines({ notices, logins }: NoticeLinesProps) {
  useStylesheet(css);
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const shown = notices.filter(({ message }) => !hidden.includes(message));
  return (
    <>
      {logins.length > 0 && <UnseenLogins logins={logins} />}
      {shown.map(({ code, title, message, opens }) => (
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
          <Button variant="quiet" size="small" onClick={() => setHidden([...hidden, message])}>
            Dismiss
          </Button>
        </span>
      ))}
    </>
  );
}
