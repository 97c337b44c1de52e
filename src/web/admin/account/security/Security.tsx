/** The account's security, and the setup of a required second factor. */
import { useSecurity } from "./security.ts";
import { useStylesheet } from "../../parts/useStylesheet.ts";
import { AsyncContent } from "../../../ui/AsyncContent.tsx";
import { Authenticator } from "./Authenticator.tsx";
import { Passkeys } from "./Passkeys.tsx";
import css from "./Security.css" with { type: "text" };
import { Sessions } from "./Sessions.tsx";
import { useNavigate } from "@tanstack/react-router";
import { Button } from "../../../ui/Button.tsx";
import { refetchPaths } from "../../data/apiQuery.ts";
import { useAction } from "../../../ui/useAction.ts";
import { logOut } from "../../data/session.ts";

export function SecurityPage() {
  useStylesheet(css);
  return (
    <AsyncContent state={useSecurity()} subject="your login settings" loadingMessage="Loading...">
      {(state) => (
        <>
          <Passkeys state={state} />
          <Authenticator state={state} />
          <Sessions />
        </>
      )}
    </AsyncContent>
  );
}

/** The setup of a required second factor, shown instead of the dashboard. */
export function SecondFactorRequired() {
  useStylesheet(css);
  const securityQuery = useSecurity();
  const state = securityQuery.value;
  const isSetUp = !!state && (state.authenticator !== null || state.passkeys.length > 0);
  return (
    <main className="second-factor-due measure gap-16 stack">
      <h1 className="visually-hidden">Dashboard</h1>
      <h2>{isSetUp ? "You're all set" : "One more step"}</h2>
      <p className="quiet">{isSetUp ? SET_UP_MESSAGE : REQUIRED_REASON}</p>
      <AsyncContent state={securityQuery} subject="your login settings" loadingMessage="Loading...">
        {(securityState) => (
          <>
            <Authenticator state={securityState} />
            <Passkeys state={securityState} />
          </>
        )}
      </AsyncContent>
      <SecondFactorActions isSetUp={isSetUp} />
    </main>
  );
}

const REQUIRED_REASON =
  "This site requires two-factor authentication, so a stolen password isn't enough to log in. Set up an authenticator app or a passkey to continue.";
const SET_UP_MESSAGE = "From now on, you'll also need your authenticator app or passkey to log in.";

function SecondFactorActions({ isSetUp }: { isSetUp: boolean }) {
  const navigate = useNavigate();
  const [isLeaving, leave] = useAction(
    async () => {
      await logOut();
      await navigate({ to: "/admin/login", ignoreBlocker: true });
    },
    { failure: "Couldn't log out. Try again." },
  );
  const [isContinuing, continueToDashboard] = useAction(() => refetchPaths("/api/auth/me"), {
    failure: "",
  });
  return (
    <div className="actions">
      <Button variant="quiet" isPending={isLeaving} disabled={isContinuing} onClick={leave}>
        Logout
      </Button>
      {isSetUp && (
        <Button
          variant="primary"
          isPending={isContinuing}
          disabled={isLeaving}
          onClick={continueToDashboard}
        >
          Go to the dashboard
        </Button>
      )}
    </div>
  );
}
