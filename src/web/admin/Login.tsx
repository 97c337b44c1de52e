/** The login screen, at /admin and /admin/login. */
import { Navigate, useNavigate } from "@tanstack/react-router";
import ChevronLeft from "lucide-react/icons/chevron-left";
import { useState } from "react";
import { Button } from "../ui/Button.tsx";
import { toastError, toastSuccess } from "../ui/messages.ts";
import { refusedWords, useLogin, useLoginState } from "./data/session.ts";
import { ForgottenLink, PasskeyLogin, SecondFactor } from "./frame/moreThanPassword.tsx";
import { Stage } from "./frame/Stage.tsx";
import { FieldFrame, PasswordInput } from "./parts/FieldFrame.tsx";

/** Who is logged in already goes on to the dashboard. */
export function Login() {
  const { data, error } = useLoginState();
  if (data?.isLoggedIn) return <Navigate to="/admin/dashboard" replace />;
  // Said before a password is typed, which this address would show to everybody on the way.
  const refused = refusedWords(error);
  return (
    <Stage title="Welcome back" note={refused ?? "Log in to edit your site."} foot={<BackToSite />}>
      {!refused && <LoginForm />}
    </Stage>
  );
}

function BackToSite() {
  return (
    <a className="stage-back" href="/">
      <ChevronLeft size={14} aria-hidden="true" /> Back to the site
    </a>
  );
}

function LoginForm() {
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const navigate = useNavigate();
  const onLoggedIn = () => {
    toastSuccess("Logged in successfully");
    return navigate({ to: "/admin/dashboard" });
  };
  const login = { username, password, onLoggedIn };
  const { pending, wantsMore, submit } = useLogin({ ...login, onFailure: toastError });
  if (wantsMore) return <SecondFactor {...login} />;
  return (
    <form className="fields" onSubmit={submit} noValidate>
      <FieldFrame id="username" label="Username or email">
        <input
          id="username"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          value={username}
          disabled={pending}
          onChange={({ target }) => setUsername(target.value)}
        />
      </FieldFrame>
      <FieldFrame id="password" label="Password">
        <PasswordInput
          id="password"
          name="password"
          value={password}
          disabled={pending}
          onChange={setPassword}
        />
      </FieldFrame>
      <Button variant="primary" type="submit" pending={pending}>
        {pending ? "Logging in..." : "Login"}
      </Button>
      <PasskeyLogin onLoggedIn={onLoggedIn} />
      <ForgottenLink />
    </form>
  );
}
