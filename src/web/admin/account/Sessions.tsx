/** Where the owner is logged in, and how to end all but this. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api.ts";
import { Button } from "../../ui/Button.tsx";
import { Badge } from "../parts/Badge.tsx";
import { LoadFailed } from "../parts/LoadFailed.tsx";
import { Loading } from "../parts/Loading.tsx";
import { when } from "../parts/when.ts";
import { withSession } from "../queries/session.ts";
import { toastFailure, toastSuccess } from "../queries/toasts.ts";
import sessionsCss from "../styles/sessions.css" with { type: "text" };
import { adoptStyles } from "../parts/adoptStyles.ts";

adoptStyles(sessionsCss);

interface Session {
  readonly current: boolean;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  readonly userAgent: string | null;
}

/** Renders the list. */
export function Sessions() {
  const { data, error, refetch } = useQuery({
    queryKey: ["auth", "sessions"],
    staleTime: 0,
    queryFn: () => withSession(() => call<Session[]>("/api/auth/sessions")),
  });
  const [pending, setPending] = useState(false);
  if (error) return <LoadFailed what="the sessions" onRetry={() => void refetch()} />;
  if (!data) return <Loading words="Loading sessions..." rows={2} />;
  const endOthers = async () => {
    setPending(true);
    try {
      await withSession(() => call("/api/auth/sessions", { method: "DELETE" }));
      toastSuccess("All other sessions ended");
      await refetch();
    } catch (failure) {
      toastFailure(failure, "Failed to end the other sessions");
    }
    setPending(false);
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
            {session.current && <Badge tone="ok">This one</Badge>}
          </li>
        ))}
      </ul>
      <div className="dialog-actions">
        <Button pending={pending} disabled={data.length < 2} onClick={() => void endOthers()}>
          End others
        </Button>
      </div>
    </>
  );
}

const BROWSERS = ["Firefox", "Edg", "OPR", "Chrome", "Safari"] as const;
const NAMES: Readonly<Record<string, string>> = { Edg: "Edge", OPR: "Opera" };

function browserOf(userAgent: string | null): string {
  const found = BROWSERS.find((name) => userAgent?.includes(name));
  return found === undefined ? "Another program" : (NAMES[found] ?? found);
}
