/** Where the owner is logged in, and how to end all sessions but this one. */
import { useQuery } from "@tanstack/react-query";
import { call } from "../../shared/api.ts";
import { Button } from "../../ui/Button.tsx";
import { withSession } from "../data/client.ts";
import { usePending } from "../data/usePending.ts";
import { withToast } from "../data/writes.ts";
import { Badge, Card } from "../parts/Card.tsx";
import { useSheet } from "../parts/useSheet.ts";
import { when } from "../parts/when.ts";
import { LoadFailed, Loading } from "../parts/WhenRead.tsx";
import css from "./Sessions.css" with { type: "text" };

interface Session {
  readonly current: boolean;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  readonly userAgent: string | null;
}

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
    <Card
      title="Sessions"
      note="where you are logged in"
      actions={
        <Button pending={pending} disabled={data.length < 2} onClick={() => void run(endOthers)}>
          End other sessions
        </Button>
      }
    >
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
    </Card>
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
