/** Where this account is logged in, and how to end one of these sessions, or all others. */
import Monitor from "lucide-react/icons/monitor";
import Smartphone from "lucide-react/icons/smartphone";
import { Button } from "../../ui/Button.tsx";
import { api } from "../data/client.ts";
import { readAgain, resource, useResource } from "../data/resource.ts";
import { usePending } from "../data/usePending.ts";
import { withToast } from "../data/writes.ts";
import { Badge, Card } from "../parts/Card.tsx";
import { whenInside } from "../parts/when.ts";
import { Read } from "../../ui/Read.tsx";

interface Session {
  readonly id: string;
  readonly current: boolean;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  readonly browser: string;
  readonly address: string | null;
}

const PATH = "/api/auth/sessions";

export function Sessions() {
  const read = useResource(resource<Session[]>(PATH));
  return (
    <Read of={read} what="the sessions" words="Loading sessions..." rows={2}>
      {(sessions) => <SessionList sessions={sessions} />}
    </Read>
  );
}

function SessionList({ sessions }: { sessions: readonly Session[] }) {
  const [pending, run] = usePending();
  const end = (path: string, words: typeof END_ONE) =>
    run(async () => {
      await withToast(words, () => api.delete(path));
      await readAgain(PATH);
    });
  return (
    <Card
      title="Logged in"
      note={sessions.length === 1 ? "1 place" : `${sessions.length} places`}
      flush
      actions={
        sessions.length > 1 && (
          <Button
            variant="quiet"
            className="bad-words"
            pending={pending}
            onClick={() => void end(PATH, END_OTHERS)}
          >
            End all others
          </Button>
        )
      }
    >
      <ul className="account-rows">
        {sessions.map((session) => (
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
                onClick={() => void end(`${PATH}/${session.id}`, END_ONE)}
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
