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
        ? "A second factor is everybody's own choice"
        : "Everybody is asked for a second factor",
      failure: "Failed to change who is asked",
      after: () => {
        setAsks(false);
        return onChanged();
      },
    },
  );
  return (
    <Card title="Second factor" note="more than a password" flush>
      <Rows>
        <Row
          sign={<ShieldCheck size={18} aria-hidden="true" />}
          title={isAsked ? "Required for everyone" : "Optional"}
          note={hasOwn || isAsked ? secondFactorMessage(without) : OWN_FIRST}
        >
          {isAsked && <Badge tone="ok">On</Badge>}
          <Button disabled={!hasOwn && !isAsked} onClick={() => setAsks(true)}>
            {isAsked ? "Make it optional" : "Require it"}
          </Button>
        </Row>
      </Rows>
      <ConfirmDialog
        open={asks}
        title={
          isAsked ? "Make the second factor optional?" : "Require a second factor of everyone?"
        }
        keep="Cancel"
        confirm={isAsked ? "Make it optional" : "Require it"}
        pending={pending}
        onKeep={() => setAsks(false)}
        onConfirm={change}
      >
        <p>{isAsked ? LESS : MORE}</p>
      </ConfirmDialog>
    </Card>
  );
}

const OWN_FIRST = "Set one up for yourself first, under Security.";

const MORE =
  "Everybody else is logged out now. Anyone with neither an authenticator app nor a passkey sets one up at their next login, before anything else.";
const LESS =
  "Anyone with an authenticator app is still asked for its code. Nobody else is asked for more than a password.";

function secondFactorMessage(without: number): string {
  if (without === 0) return "Everybody has an authenticator app or a passkey.";
  return without === 1
    ? "One person has neither an authenticator app nor a passkey."
    : `${without} people have neither an authenticator app nor a passkey.`;
}
