/** The authenticator app and the recovery codes: set up in three steps, turned off, made anew. */
import LifeBuoy from "lucide-react/icons/life-buoy";
import QrCode from "lucide-react/icons/qr-code";
import { useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { api } from "../data/client.ts";
import { toastFailure } from "../../ui/messages.ts";
import { refreshSecurity, type SecurityState } from "../data/security.ts";
import { usePending } from "../data/usePending.ts";
import { withToast } from "../data/writes.ts";
import { Badge, Card } from "../parts/Card.tsx";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";
import { whenInside } from "../parts/when.ts";
import { RecoveryCodes } from "./RecoveryCodes.tsx";
import { type Begun, SetUpAuthenticator } from "./SetUpAuthenticator.tsx";

/** What stands here: the state, the set-up that was begun, or codes that are shown once. */
type Showing = { readonly begun: Begun } | { readonly codes: readonly string[] } | undefined;

export function Authenticator({ state }: { state: SecurityState }) {
  const [showing, setShowing] = useState<Showing>();
  const done = () => {
    setShowing(undefined);
    void refreshSecurity();
  };
  if (showing && "begun" in showing)
    return (
      <SetUpAuthenticator
        begun={showing.begun}
        onCancel={() => setShowing(undefined)}
        onConfirmed={(codes) => setShowing({ codes })}
      />
    );
  if (showing) return <RecoveryCodes codes={showing.codes} onDone={done} />;
  return (
    <>
      <AppCard state={state} onBegun={(begun) => setShowing({ begun })} />
      {(state.recoveryCodes ?? (state.isAsked && state.passkeys.length > 0)) && (
        <CodesCard codes={state.recoveryCodes} onMade={(codes) => setShowing({ codes })} />
      )}
    </>
  );
}

const post = <T,>(path: string) => api.post<T>(`/api/auth/${path}`);

interface AppCardProps {
  readonly state: SecurityState;
  readonly onBegun: (begun: Begun) => void;
}

function AppCard({ state: { authenticator }, onBegun }: AppCardProps) {
  const [pending, run] = usePending();
  const [asks, setAsks] = useState(false);
  const begin = async () => {
    try {
      onBegun(await post<Begun>("authenticator"));
    } catch (error) {
      toastFailure(error, "Failed to begin");
    }
  };
  const turnOff = async () => {
    await withToast(TURN_OFF, turnedOff);
    setAsks(false);
    await refreshSecurity();
  };
  return (
    <Card title="Authenticator app" note="a code of six figures after the password" flush>
      <ul className="account-rows">
        <li>
          <QrCode size={18} aria-hidden="true" />
          <div>
            <strong>{authenticator ? "On" : "Off"}</strong>
            <span className="quiet">
              {authenticator
                ? `since ${whenInside(authenticator.confirmedAt)}`
                : "works without a network, with any authenticator"}
            </span>
          </div>
          {authenticator && <Badge tone="ok">On</Badge>}
          {authenticator ? (
            <Button onClick={() => setAsks(true)}>Turn off</Button>
          ) : (
            <Button pending={pending} onClick={() => void run(begin)}>
              Set up
            </Button>
          )}
        </li>
      </ul>
      <ConfirmDialog
        open={asks}
        title="Turn off the authenticator app?"
        keep="Keep it on"
        confirm="Turn off"
        pending={pending}
        onKeep={() => setAsks(false)}
        onConfirm={() => void run(turnOff)}
      >
        <p>Your password alone logs in then, and the recovery codes no longer work.</p>
      </ConfirmDialog>
    </Card>
  );
}

const TURN_OFF = { success: "Authenticator app turned off", failure: "Failed to turn it off" };

const turnedOff = () => api.delete("/api/auth/authenticator");

interface CodesCardProps {
  readonly codes: SecurityState["recoveryCodes"];
  readonly onMade: (codes: readonly string[]) => void;
}

function CodesCard({ codes, onMade }: CodesCardProps) {
  const [pending, run] = usePending();
  const make = async () => {
    try {
      onMade((await post<{ recoveryCodes: string[] }>("recovery-codes")).recoveryCodes);
    } catch (error) {
      toastFailure(error, "Failed to make new codes");
    }
  };
  return (
    <Card title="Recovery codes" note="when the phone is lost" flush>
      <ul className="account-rows">
        <li>
          <LifeBuoy size={18} aria-hidden="true" />
          <div>
            <strong>{codes ? `${codes.left} of ${codes.of} left` : "None yet"}</strong>
            <span className="quiet">
              {codes
                ? `made ${whenInside(codes.madeAt)}, each works once`
                : "Without one a lost passkey keeps you out."}
            </span>
          </div>
          {codes && codes.left < 3 && <Badge tone="warn">Few left</Badge>}
          <Button pending={pending} onClick={() => void run(make)}>
            {codes ? "New codes" : "Make codes"}
          </Button>
        </li>
      </ul>
    </Card>
  );
}
