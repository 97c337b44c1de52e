/** The account's sessions; ends one of them, or all others. */
import { Row, Rows } from "../../../ui/Row.tsx";
import Monitor from "lucide-react/icons/monitor";
import Smartphone from "lucide-react/icons/smartphone";
import { Button } from "../../../ui/Button.tsx";
import { api } from "../../data/client.ts";
import { refetch, resource, useResource } from "../../data/resource.ts";
import { useAction } from "../../../ui/useAction.ts";
import { Badge, Card } from "../../parts/Card.tsx";
import { whenInside } from "../../../shared/when.ts";
import { Read } from "../../../ui/Read.tsx";

interface Session {
  readonly id: string;
  readonly current: boolean;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  readonly browser: string;
  readonly address: string | null;
}

const PATH = "/api/auth/sessions";

const after = () => refetch(PATH);

export function Sessions() {
  const read = useResource(resource<Session[]>(PATH));
  return (
    <Read of={read} subject="the sessions" loadingMessage="Loading sessions..." rows={2}>
      {(sessions) => <SessionList sessions={sessions} />}
    </Read>
  );
}

function SessionList({ sessions }: { sessions: readonly Session[] }) {
  const [ending, end] = useAction((id: string) => api.delete(`${PATH}/${id}`), {
    success: "Device logged out",
    failure: "Couldn't log out the device",
    after,
  });
  const [endingOthers, endOthers] = useAction(() => api.delete(PATH), {
    success: "All other devices logged out",
    failure: "Couldn't log out the other devices",
    after,
  });
  const pending = ending || endingOthers;
  return (
    <Card
      title="Where you're logged in"
      note={sessions.length === 1 ? "1 device" : `${sessions.length} devices`}
      flush
      actions={
        sessions.length > 1 && (
          <Button variant="quiet" data-tone="bad" pending={pending} onClick={endOthers}>
            Log out all other devices
          </Button>
        )
      }
    >
      <Rows>
        {sessions.map((session) => (
          <Row
            key={session.id}
            sign={<DeviceIcon browser={session.browser} />}
            title={session.browser}
            note={factsOf(session)}
          >
            {session.current ? (
              <Badge tone="ok">This device</Badge>
            ) : (
              <Button
                variant="quiet"
                pending={pending}
                aria-label={`Log out ${session.browser}, ${factsOf(session)}`}
                onClick={() => end(session.id)}
              >
                Log out
              </Button>
            )}
          </Row>
        ))}
      </Rows>
    </Card>
  );
}

/** A phone or a computer, judged by the browser's name. */
export function DeviceIcon({ browser }: { browser: string }) {
  const Icon = /iPhone|Android|iPad/.test(browser) ? Smartphone : Monitor;
  return <Icon size={18} aria-hidden="true" />;
}

function factsOf({ address, current, createdAt, lastSeenAt }: Session): string {
  const from = address ? `IP address ${address}, ` : "";
  return (
    from + (current ? `logged in ${whenInside(createdAt)}` : `last used ${whenInside(lastSeenAt)}`)
  );
}
