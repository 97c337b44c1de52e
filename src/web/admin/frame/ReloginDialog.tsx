/** Asks the user to log in again after the session has ended. Then repeats the refused calls. */
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { PasswordField } from "../../ui/Field.tsx";
import { Form, SubmitButton } from "../../ui/Form.tsx";
import { useSessionWait } from "../data/client.ts";
import { getCachedUser, useLogin } from "../data/session.ts";
import { LazySecondFactor } from "./loginMethods.tsx";
import { UsernameField } from "./StandalonePage.tsx";

export function ReloginDialog() {
  const wait = useSessionWait();
  return (
    <Dialog isOpen={wait !== null} onClose={() => wait?.cancel()} title="Log in again" size="small">
      {wait && <LoginForm onLoggedIn={wait.resume} onCancel={wait.cancel} />}
    </Dialog>
  );
}

function LoginForm({ onLoggedIn, onCancel }: { onLoggedIn: () => void; onCancel: () => void }) {
  const username = getCachedUser()?.username ?? "";
  const { form, isSecondFactorNeeded } = useLogin({
    username,
    onLoggedIn,
    failureField: "password",
  });
  if (isSecondFactorNeeded) return <LazySecondFactor {...form.values} onLoggedIn={onLoggedIn} />;
  return (
    <Form form={form}>
      <p className="quiet">Your session has expired. Log in to continue where you left off.</p>
      <UsernameField name="username" label="Username or email" />
      <PasswordField name="password" label="Password" data-autofocus />
      <div className="actions">
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <SubmitButton pendingLabel="Logging in...">Login</SubmitButton>
      </div>
    </Form>
  );
}
