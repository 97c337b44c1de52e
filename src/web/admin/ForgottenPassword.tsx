/** The page of a forgotten password: asks for a link, and with one for the new password. */
import { useNavigate } from "@tanstack/react-router";
import ChevronLeft from "lucide-react/icons/chevron-left";
import { type FormEvent, useState } from "react";
import { MIN_PASSWORD_LENGTH } from "../../schema/accounts.ts";
import { call } from "../shared/api.ts";
import { Button } from "../ui/Button.tsx";
import { failureWords, toastError, toastSuccess } from "../ui/messages.ts";
import { usePending } from "./data/usePending.ts";
import { OneTimeLink, useLinkToken } from "./frame/OneTimeLink.tsx";
import { Stage } from "./frame/Stage.tsx";
import { FieldFrame, PasswordInput } from "./parts/FieldFrame.tsx";

export function ForgottenPassword() {
  const token = useLinkToken();
  return token === null ? <AskForLink /> : <WithLink token={token} />;
}

function BackToLogin() {
  return (
    <a className="stage-back" href="/admin/login">
      <ChevronLeft size={14} aria-hidden="true" /> Back to login
    </a>
  );
}

function AskForLink() {
  const [login, setLogin] = useState("");
  const [wrong, setWrong] = useState<string>();
  const [isSent, setIsSent] = useState(false);
  const [pending, run] = usePending();
  const send = async () => {
    setWrong(undefined);
    try {
      await call("/api/auth/forgotten", { method: "POST", body: { login } });
      setIsSent(true);
    } catch (error) {
      setWrong(failureWords(error, "The link couldn't be asked for. Try again."));
    }
  };
  if (isSent)
    return (
      <Stage
        title="Look into your mailbox"
        note="If somebody logs in here by this name, a link is on its way to their email address. It works for 30 minutes, and once."
        foot={<BackToLogin />}
      >
        <Button onClick={() => setIsSent(false)}>Try another name</Button>
      </Stage>
    );
  return (
    <Stage
      title="Forgotten password"
      note="A link to choose a new one comes by mail."
      foot={<BackToLogin />}
    >
      <form
        className="fields"
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void run(send);
        }}
      >
        <FieldFrame id="login" label="Username or email" error={wrong}>
          <input
            id="login"
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            value={login}
            disabled={pending}
            aria-invalid={wrong !== undefined || undefined}
            aria-describedby="login-note"
            onChange={({ target }) => setLogin(target.value)}
          />
        </FieldFrame>
        <Button variant="primary" type="submit" pending={pending}>
          {pending ? "Sending..." : "Send the link"}
        </Button>
      </form>
    </Stage>
  );
}

function WithLink({ token }: { readonly token: string }) {
  return (
    <OneTimeLink<{ username: string }>
      token={token}
      path="/api/auth/forgotten/link"
      title="Choose a new password"
    >
      {({ username }) => (
        <Stage
          title="Choose a new password"
          note={`For ${username}. Everywhere else you are logged out by it.`}
        >
          <NewPassword token={token} username={username} />
        </Stage>
      )}
    </OneTimeLink>
  );
}

function NewPassword({ token, username }: { readonly token: string; readonly username: string }) {
  const [password, setPassword] = useState("");
  const [wrong, setWrong] = useState<string>();
  const [pending, run] = usePending();
  const navigate = useNavigate();
  const save = async () => {
    setWrong(undefined);
    try {
      const body = { token, newPassword: password };
      await call("/api/auth/forgotten/password", { method: "POST", body });
      toastSuccess("Your new password is saved. Log in with it.");
      await navigate({ to: "/admin/login", replace: true });
    } catch (error) {
      const words = failureWords(error, "The password couldn't be saved. Try again.");
      setWrong(words);
      toastError(words);
    }
  };
  return (
    <form
      className="fields"
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void run(save);
      }}
    >
      {/* So that password managers know whose it is. */}
      <input type="hidden" name="username" autoComplete="username" value={username} readOnly />
      <FieldFrame
        id="new-password"
        label="New password"
        error={wrong}
        hint={`At least ${MIN_PASSWORD_LENGTH} characters. Three or four words in a row are easy to remember.`}
      >
        <PasswordInput
          id="new-password"
          name="new-password"
          autoComplete="new-password"
          aria-invalid={wrong !== undefined || undefined}
          aria-describedby="new-password-note"
          value={password}
          disabled={pending}
          onChange={setPassword}
        />
      </FieldFrame>
      <Button variant="primary" type="submit" pending={pending}>
        {pending ? "Saving..." : "Save the password"}
      </Button>
    </form>
  );
}
