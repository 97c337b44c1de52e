/** The login screen (spec section 2; routes /admin and /admin/login). */
import { Navigate, useNavigate } from "@tanstack/react-router";
import ChevronLeft from "lucide-react/icons/chevron-left";
import { type FormEvent, useState } from "react";
import { showToast } from "../ui/toast.ts";
import { Button } from "../ui/Button.tsx";
import { PasswordInput } from "./account/PasswordInput.tsx";
import { Stage } from "./frame/Stage.tsx";
import { FieldFrame } from "./parts/FieldFrame.tsx";
import { failureWords, toastError, toastSuccess } from "./queries/toasts.ts";
import { logIn, useCurrentUser } from "./queries/useCurrentUser.ts";

/** Shows the form; who is logged in already goes on to the dashboard. */
export function Login() {
  const { data: user } = useCurrentUser();
  if (user) return <Navigate to="/admin/dashboard" replace />;
  return (
    <Stage title="Welcome back" note="Log in to edit your site." foot={<BackToSite />}>
      <LoginForm />
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
  const { pending, submit } = useLogin(username, password);
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
    </form>
  );
}

function useLogin(username: string, password: string) {
  const [pending, setPending] = useState(false);
  const navigate = useNavigate();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (username.trim() === "" || password === "") return toastError("Please fill in all fields");
    setPending(true);
    try {
      await logIn(username.trim(), password);
      toastSuccess("Logged in successfully");
      await navigate({ to: "/admin/dashboard" });
    } catch (error) {
      const description = failureWords(error, "Login failed");
      showToast({ title: "Error", description, destructive: true });
      setPending(false);
    }
  };
  return { pending, submit: (event: FormEvent) => void submit(event) };
}
