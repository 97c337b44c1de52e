/** Whether an owner requires a second factor of everyone. */
import { Row, Rows } from "../../../ui/Row.tsx";
import ShieldCheck from "lucide-react/icons/shield-check";
import { useState } from "react";
import { Button } from "../../../ui/Button.tsx";
import { api } from "../../data/client.ts";
import { useAction } from "../../../ui/useAction.ts";
import { Badge, Card } from "../../parts/Card.tsx";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";

interface LoginRulesProps {
  readonly isAsked: boolean;
  /** The current user has one. */
  readonly hasOwn: boolean;
  /** How many people have none. */
  readonly without: number;
  readonly onChanged: () => Promise<unknown>;
}

export function LoginRules({ isAsked, hasOwn, without, onChanged }: LoginRulesProps) {
  const [asks, setAsks] = useState(false);
  const [pending, change] = useAction(
    () => api.put("/api/login-rules", { secondFactor: !isAsked }),
    {
      success: isAsked
        ? "Two-factor authentication is now optional"
        : "Two-factor authentication is now required for everyone",
      failure: "Couldn't change this setting",
      after: () => {
        setAsks(false);
        return onChanged();
      },
    },
  );
  return (
    <Card title="Two-factor authentication" note="a second step after the password" flush>
      <Rows>
        <Row
          sign={<ShieldCheck size={18} aria-hidden="true" />}
          title={isAsked ? "Required for everyone" : "Optional"}
          note={hasOwn || isAsked ? secondFactorMessage(without) : OWN_FIRST}
        >
          {isAsked && <Badge tone="ok">On</Badge>}
          <Button disabled={!hasOwn && !isAsked} onClick={() => setAsks(true)}>
            {isAsked ? "Make optional" : "Require"}
          </Button>
        </Row>
      </Rows>
      <ConfirmDialog
        open={asks}
        title={
          isAsked
            ? "Make two-factor authentication optional?"
            : "Require two-factor authentication for everyone?"
        }
        keep="Cancel"
        confirm={isAsked ? "Make optional" : "Require"}
        pending={pending}
        onKeep={() => setAsks(false)}
        onConfirm={change}
      >
        <p>{isAsked ? LESS : MORE}</p>
      </ConfirmDialog>
    </Card>
  );
}

const OWN_FIRST = "Set it up for yourself first, under Security.";

const MORE =
  "Everyone else will be logged out. Anyone without an authenticator app or passkey will have to set one up at their next login.";
const LESS =
  "People with an authenticator app will still be asked for a code. Everyone else only needs their password.";

function secondFactorMessage(without: number): string {
  if (without === 0) return "Everyone has an authenticator app or a passkey.";
  return without === 1
    ? "One person has neither an authenticator app nor a passkey."
    : `${without} people don't have an authenticator app or a passkey yet.`;
}
