/** Where this account is logged in, and how to end one of these sessions, or all others. */
import { useQuery } from "@tanstack/react-query";
import Monitor from "lucide-react/icons/monitor";
import Smartphone from "lucide-react/icons/smartphone";
import { call } from "../../shared/api.ts";
import { Button } from "../../ui/Button.tsx";
import { withSession } from "../data/client.ts";
import { usePending } from "../data/usePending.ts";
import { withToast } from "../data/writes.ts";
import { Badge, Card } from "../parts/Card.tsx";
import { whenInside } from "../parts/when.ts";
import { LoadFailed, Loading } from "../parts/WhenRead.tsx";

interface Session {
  readonly id: string;
  readonly current: boolean;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  readonly browser: string;
  readonly address: string | null;
}

export function Sessions() {
  const { data, error, refetch } = useQuery({
    queryKey: ["auth", "sessions"],
    staleTime: 0,
    queryFn: () => withSession(() => call<Session[]>("/api/auth/sessions")),
  });
  const [pending, run] = usePending();
  if (!data && error) return <LoadFailed what="the sessions" onRetry={() => void refetch()} />;
  if (!data) return <Loading words="Loading sessions..." rows={2} />;
  const end = (path: string, words: typeof END_ONE) =>
    run(async () => {
      await withToast(words, () => withSession(() => call(path, { method: "DELETE" })));
      await refetch();
    });
  return (
    <Card
      title="Logged in"
      note={data.length === 1 ? "1 place" : `${data.length} places`}
      flush
      actions={
        data.length > 1 && (
          <Button
            variant="quiet"
            className="bad-words"
            pending={pending}
            onClick={() => void end("/api/auth/sessions", END_OTHERS)}
          >
            End all others
          </Button>
        )
      }
    >
      <ul className="account-rows">
        {data.map((session) => (
          <li key={session.id}>
            <DeviceIcon browser={session.browser} />
            <div>
              <strong>{session.browser}</strong>
              <span className="quiet">{factsOf(session)}</span>
            </div>
            {session.current ? (
              <Badge tone="ok">This one</Badge>
            ) : (
              <Button
                variant="quiet"
                pending={pending}
                aria-label={`End ${session.browser}, ${factsOf(session)}`}
                onClick={() => void end(`/api/auth/sessions/${session.id}`, END_ONE)}
              >
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** A phone or a computer, as the browser's name tells. */
export function DeviceIcon({ browser }: { browser: string }) {
  const Icon = /iPhone|Android|iPad/.test(browser) ? Smartphone : Monitor;
  return <Icon size={18} aria-hidden="true" />;
}

function factsOf({ address, current, createdAt, lastSeenAt }: Session): string {
  const from = address ? `address ${address}, ` : "";
  return (
    from + (current ? `since ${whenInside(createdAt)}` : `last used ${whenInside(lastSeenAt)}`)
  );
}

const END_ONE = { success: "Session ended", failure: "Failed to end the session" };
const END_OTHERS = {
  success: "All other sessions ended",
  failure: "Failed to end the other sessions",
};
