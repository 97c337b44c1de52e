/** Lets an owner require a second factor from everyone. */
import { Row, Rows } from "../../../ui/Row.tsx";
import ShieldCheck from "lucide-react/icons/shield-check";
import { Button } from "../../../ui/Button.tsx";
import { api } from "../../data/client.ts";
import { Badge, Card } from "../../parts/Card.tsx";
import { ConfirmDialog, useConfirmation } from "../../parts/ConfirmDialog.tsx";

interface LoginRulesProps {
  readonly isRequired: boolean;
  /** Whether the current user has a second factor. */
  readonly hasSecondFactor: boolean;
  readonly countWithoutSecondFactor: number;
  readonly onChanged: () => Promise<unknown>;
}

export function LoginRules({
  isRequired,
  hasSecondFactor,
  countWithoutSecondFactor,
  onChanged,
}: LoginRulesProps) {
  const [ask, dialog] = useConfirmation(
    () => api.put("/api/login-rules", { secondFactor: !isRequired }),
    {
      success: isRequired
        ? "Two-factor authentication is now optional"
        : "Two-factor authentication is now required for everyone",
      failure: "Couldn't change this setting",
      onSettled: onChanged,
    },
  );
  return (
    <Card title="Two-factor authentication" note="a second step after the password" isFlush>
      <Rows>
        <Row
          icon={<ShieldCheck size={18} aria-hidden="true" />}
          title={isRequired ? "Required for everyone" : "Optional"}
          note={
            hasSecondFactor || isRequired
              ? describeSecondFactorUse(countWithoutSecondFactor)
              : SET_UP_FIRST_MESSAGE
          }
        >
          {isRequired && <Badge tone="ok">On</Badge>}
          <Button disabled={!hasSecondFactor && !isRequired} onClick={ask}>
            {isRequired ? "Make optional" : "Require"}
          </Button>
        </Row>
      </Rows>
      <ConfirmDialog
        {...dialog}
        title={
          isRequired
            ? "Make two-factor authentication optional?"
            : "Require two-factor authentication for everyone?"
        }
        confirmLabel={isRequired ? "Make optional" : "Require"}
      >
        <p>{isRequired ? MAKE_OPTIONAL_MESSAGE : REQUIRE_MESSAGE}</p>
      </ConfirmDialog>
    </Card>
  );
}

const SET_UP_FIRST_MESSAGE = "Set it up for yourself first, under Security.";

const REQUIRE_MESSAGE =
  "Everyone else will be logged out. Anyone without an authenticator app or passkey will have to set one up at their next login.";
const MAKE_OPTIONAL_MESSAGE =
  "People with an authenticator app will still be asked for a code. Everyone else only needs their password.";

function describeSecondFactorUse(countWithout: number): string {
  if (countWithout === 0) return "Everyone has an authenticator app or a passkey.";
  return countWithout === 1
    ? "One person has neither an authenticator app nor a passkey."
    : `${countWithout} people don't have an authenticator app or a passkey yet.`;
}
