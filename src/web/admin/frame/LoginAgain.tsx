/** An ended session asks for the password in place; then the failed save goes on. */
import { useSignals } from "@preact/signals-react/runtime";
import { useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { sessionWait } from "../data/client.ts";
import { knownUser, useLogin } from "../data/session.ts";
import { SecondFactor } from "./moreThanPassword.tsx";
import { FieldFrame, PasswordInput } from "../parts/FieldFrame.tsx";

/** Open while a call waits for a new session. */
export function LoginAgain() {
  useSignals();
  const wait = sessionWait.value;
  return (
    <Dialog open={wait !== null} onClose={() => wait?.giveUp()} title="Log in again" size="small">
      {wait && <LoginForm onLoggedIn={wait.resume} onLater={wait.giveUp} />}
    </Dialog>
  );
}

function LoginForm({ onLoggedIn, onLater }: { onLoggedIn: () => void; onLater: () => void }) {
  const [username, setUsername] = useState(knownUser()?.username ?? "");
  const [password, setPassword] = useState("");
  const [error, setError] = useState<string>();
  const login = { username, password, onLoggedIn };
  const onFailure = (words: string) => {
    setError(words);
    document.getElementById("again-password")?.focus();
  };
  const { pending, wantsMore, submit } = useLogin({ ...login, onFailure });
  if (wantsMore) return <SecondFactor {...login} />;
  return (
    <form
      className="fields"
      noValidate
      onSubmit={(event) => {
        setError(undefined);
        submit(event);
      }}
    >
      <p className="quiet">
        Your session has ended. What you typed is kept and will be saved once you log in.
      </p>
      <FieldFrame id="again-username" label="Username or email">
        <input
          id="again-username"
          autoComplete="username"
          value={username}
          readOnly={pending}
          onChange={({ target }) => setUsername(target.value)}
        />
      </FieldFrame>
      <FieldFrame id="again-password" label="Password" error={error} urgent>
        <PasswordInput
          id="again-password"
          value={password}
          readOnly={pending}
          onChange={setPassword}
          aria-describedby="again-password-note"
          aria-invalid={error !== undefined || undefined}
          data-autofocus
        />
      </FieldFrame>
      <div className="dialog-actions">
        <Button variant="quiet" onClick={onLater}>
          Not now
        </Button>
        <Button variant="primary" type="submit" pending={pending}>
          {pending ? "Logging in..." : "Login"}
        </Button>
      </div>
    </form>
  );
}
