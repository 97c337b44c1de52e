/** Lists the account's sessions, and ends one of them or all except the current one. */
import { Row, Rows } from "../../../ui/Row.tsx";
import Monitor from "lucide-react/icons/monitor";
import Smartphone from "lucide-react/icons/smartphone";
import { Button } from "../../../ui/Button.tsx";
import { api } from "../../data/client.ts";
import { refetchPaths, createApiQuery, useApiQuery } from "../../data/apiQuery.ts";
import { useAction } from "../../../ui/useAction.ts";
import { Badge, Card } from "../../parts/Card.tsx";
import { formatRelativeDateTimeInSentence } from "../../../shared/formatTimes.ts";
import { AsyncContent } from "../../../ui/AsyncContent.tsx";

interface Session {
  readonly id: string;
  readonly current: boolean;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  readonly browser: string;
  readonly address: string | null;
}

const SESSIONS_PATH = "/api/auth/sessions";

const refreshSessions = () => refetchPaths(SESSIONS_PATH);

export function Sessions() {
  const sessionsQuery = useApiQuery(createApiQuery<Session[]>(SESSIONS_PATH));
  return (
    <AsyncContent
      state={sessionsQuery}
      subject="the sessions"
      loadingMessage="Loading sessions..."
      rows={2}
    >
      {(sessions) => <SessionList sessions={sessions} />}
    </AsyncContent>
  );
}

function SessionList({ sessions }: { sessions: readonly Session[] }) {
  const [isEnding, endSession] = useAction((id: string) => api.delete(`${SESSIONS_PATH}/${id}`), {
    success: "Device logged out",
    failure: "Couldn't log out the device",
    onSettled: refreshSessions,
  });
  const [isEndingOthers, endOtherSessions] = useAction(() => api.delete(SESSIONS_PATH), {
    success: "All other devices logged out",
    failure: "Couldn't log out the other devices",
    onSettled: refreshSessions,
  });
  const isPending = isEnding || isEndingOthers;
  return (
    <Card
      title="Where you're logged in"
      note={sessions.length === 1 ? "1 device" : `${sessions.length} devices`}
      isFlush
      actions={
        sessions.length > 1 && (
          <Button variant="quiet" data-tone="bad" isPending={isPending} onClick={endOtherSessions}>
            Log out all other devices
          </Button>
        )
      }
    >
      <Rows>
        {sessions.map((session) => (
          <Row
            key={session.id}
            icon={<DeviceIcon browser={session.browser} />}
            title={session.browser}
            note={describeSession(session)}
          >
            {session.current ? (
              <Badge tone="ok">This device</Badge>
            ) : (
              <Button
                variant="quiet"
                isPending={isPending}
                aria-label={`Log out ${session.browser}, ${describeSession(session)}`}
                onClick={() => endSession(session.id)}
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

export function DeviceIcon({ browser }: { browser: string }) {
  const Icon = /iPhone|Android|iPad/.test(browser) ? Smartphone : Monitor;
  return <Icon size={18} aria-hidden="true" />;
}

function describeSession({ address, current, createdAt, lastSeenAt }: Session): string {
  const addressText = address ? `IP address ${address}, ` : "";
  return (
    addressText +
    (current
      ? `logged in ${formatRelativeDateTimeInSentence(createdAt)}`
      : `last used ${formatRelativeDateTimeInSentence(lastSeenAt)}`)
  );
}
