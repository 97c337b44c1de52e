/** What the server tells the owner unasked, above everything else while it holds. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import { useState } from "react";
import { call } from "../../shared/api.ts";
import { Button } from "../../ui/Button.tsx";
import { withSession } from "../data/client.ts";
import { useSheet } from "../parts/useSheet.ts";
import { UnseenLogins } from "./UnseenLogins.tsx";
import css from "./Notices.css" with { type: "text" };

interface Notice {
  readonly code: string;
  readonly message: string;
  readonly title?: string;
  readonly opens?: { readonly screen: string; readonly label: string };
}

/** What is amiss with the site is for its owners. */
export interface NoticesProps {
  readonly isOwner: boolean;
}

/** Nothing as long as there is none. What is hidden is told again when the dashboard is opened anew. */
export function Notices({ isOwner }: NoticesProps) {
  useSheet(css);
  const { data = [] } = useQuery({
    queryKey: ["notices"],
    enabled: isOwner,
    queryFn: () => withSession(() => call<Notice[]>("/api/notices")),
  });
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const shown = data.filter(({ message }) => !hidden.includes(message));
  return (
    <output className="notices">
      <UnseenLogins />
      {shown.map(({ code, title, message, opens }) => (
        <span key={code} className="notice">
          <TriangleAlert size={16} aria-hidden="true" />
          <span>
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
            Hide
          </Button>
        </span>
      ))}
    </output>
  );
}
