/** The authenticator app and the recovery codes. */
import { Row, Rows } from "../../../ui/Row.tsx";
import LifeBuoy from "lucide-react/icons/life-buoy";
import QrCode from "lucide-react/icons/qr-code";
import { useState } from "react";
import { Button } from "../../../ui/Button.tsx";
import { useAction } from "../../../ui/useAction.ts";
import { api } from "../../data/client.ts";
import { refreshSecurity, type SecurityState } from "./security.ts";
import { Badge, Card } from "../../parts/Card.tsx";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { formatRelativeDateTimeInSentence } from "../../../shared/formatTimes.ts";
import { RecoveryCodes } from "./RecoveryCodes.tsx";
import { type AuthenticatorSetup, SetUpAuthenticator } from "./SetUpAuthenticator.tsx";

/** A setup in progress, or new recovery codes, which are shown once; otherwise undefined. */
type AuthenticatorView =
  { readonly begun: AuthenticatorSetup } | { readonly codes: readonly string[] } | undefined;

export function Authenticator({ state }: { state: SecurityState }) {
  const [showing, setShowing] = useState<AuthenticatorView>();
  const finish = () => {
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
  if (showing) return <RecoveryCodes codes={showing.codes} onDone={finish} />;
  return (
    <>
      <AuthenticatorCard state={state} onBegun={(begun) => setShowing({ begun })} />
      {(state.recoveryCodes ?? (state.isRequired && state.passkeys.length > 0)) && (
        <RecoveryCodesCard codes={state.recoveryCodes} onMade={(codes) => setShowing({ codes })} />
      )}
    </>
  );
}

interface AppCardProps {
  readonly state: SecurityState;
  readonly onBegun: (begun: AuthenticatorSetup) => void;
}

function AuthenticatorCard({ state: { authenticator }, onBegun }: AppCardProps) {
  const [isConfirming, setConfirming] = useState(false);
  const [beginning, begin] = useAction(
    async () => onBegun(await api.post<AuthenticatorSetup>("/api/auth/authenticator")),
    { failure: "Couldn't start setup" },
  );
  const [ending, turnOff] = useAction(() => api.delete("/api/auth/authenticator"), {
    success: "Authenticator app turned off",
    failure: "Couldn't turn off the authenticator app",
    onSettled: () => {
      setConfirming(false);
      return refreshSecurity();
    },
  });
  return (
    <Card title="Authenticator app" note="a 6-digit code after your password" isFlush>
      <Rows>
        <Row
          icon={<QrCode size={18} aria-hidden="true" />}
          title={authenticator ? "On" : "Off"}
          note={
            authenticator
              ? `On since ${formatRelativeDateTimeInSentence(authenticator.confirmedAt)}`
              : "Works offline, with any authenticator app"
          }
        >
          {authenticator && <Badge tone="ok">On</Badge>}
          {authenticator ? (
            <Button onClick={() => setConfirming(true)}>Turn off</Button>
          ) : (
            <Button pending={beginning} onClick={begin}>
              Set up
            </Button>
          )}
        </Row>
      </Rows>
      <ConfirmDialog
        open={isConfirming}
        title="Turn off the authenticator app?"
        cancel="Cancel"
        confirm="Turn off"
        pending={ending}
        onCancel={() => setConfirming(false)}
        onConfirm={turnOff}
      >
        <p>You'll only need your password to log in. Your recovery codes will stop working.</p>
      </ConfirmDialog>
    </Card>
  );
}

interface CodesCardProps {
  readonly codes: SecurityState["recoveryCodes"];
  readonly onMade: (codes: readonly string[]) => void;
}

function RecoveryCodesCard({ codes, onMade }: CodesCardProps) {
  const [pending, make] = useAction(
    async () => {
      const { recoveryCodes } = await api.post<{ recoveryCodes: string[] }>(
        "/api/auth/recovery-codes",
      );
      onMade(recoveryCodes);
    },
    { failure: "Couldn't create recovery codes" },
  );
  return (
    <Card title="Recovery codes" note="in case you lose your phone" isFlush>
      <Rows>
        <Row
          icon={<LifeBuoy size={18} aria-hidden="true" />}
          title={codes ? `${codes.left} of ${codes.of} left` : "None yet"}
          note={
            codes
              ? `Created ${formatRelativeDateTimeInSentence(codes.madeAt)}. Each code works once.`
              : "Without a recovery code, losing your passkey locks you out."
          }
        >
          {codes && codes.left < 3 && <Badge tone="warn">Running low</Badge>}
          <Button pending={pending} onClick={make}>
            {codes ? "Create new codes" : "Create codes"}
          </Button>
        </Row>
      </Rows>
    </Card>
  );
}
