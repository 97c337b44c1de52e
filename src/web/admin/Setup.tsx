/** The setup page of a new site, reached by the one-time link of the log. */
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, type HTMLInputTypeAttribute, useState } from "react";
import { type CurrentUser, MIN_PASSWORD_LENGTH } from "../../schema/accounts.ts";
import { call, CallFailed } from "../shared/api.ts";
import { Button } from "../ui/Button.tsx";
import { failureWords, toastError } from "../ui/messages.ts";
import { rememberUser } from "./data/session.ts";
import { usePending } from "./data/usePending.ts";
import { OneTimeLink, useLinkToken } from "./frame/OneTimeLink.tsx";
import { Stage } from "./frame/Stage.tsx";
import { FieldFrame, PasswordInput } from "./parts/FieldFrame.tsx";

export function Setup() {
  const token = useLinkToken() ?? "";
  return (
    <OneTimeLink token={token} path="/api/setup/token" title="Set up your site">
      {() => (
        <Stage title="Set up your site" note="Answer four questions, and the site is yours.">
          <SetupForm token={token} />
        </Stage>
      )}
    </OneTimeLink>
  );
}

type Answers = Record<"siteName" | "username" | "email" | "password", string>;

function SetupForm({ token }: { token: string }) {
  const [answers, setAnswers] = useState<Answers>(NOTHING);
  const { pending, wrong, submit } = useSetup(token, answers);
  const input = (name: keyof Answers, type: HTMLInputTypeAttribute, autoComplete: string) => ({
    id: name,
    name,
    type,
    autoComplete,
    value: answers[name],
    disabled: pending,
    "aria-invalid": wrong[name] !== undefined || undefined,
    "aria-describedby": `${name}-note`,
  });
  const set = (name: keyof Answers) => (value: string) => setAnswers({ ...answers, [name]: value });
  const field = (name: keyof Answers, label: string, type: string, autoComplete: string) => (
    <FieldFrame id={name} label={label} error={wrong[name]}>
      <input
        {...input(name, type, autoComplete)}
        onChange={({ target }) => set(name)(target.value)}
      />
    </FieldFrame>
  );
  return (
    <form className="fields" onSubmit={submit} noValidate>
      {field("siteName", "Site name", "text", "organization")}
      {field("username", "Username", "text", "username")}
      {field("email", "Email", "email", "email")}
      <FieldFrame
        id="password"
        label="Password"
        error={wrong.password}
        hint={`At least ${MIN_PASSWORD_LENGTH} characters. Three or four words in a row are easy to remember.`}
      >
        <PasswordInput
          {...input("password", "password", "new-password")}
          onChange={set("password")}
        />
      </FieldFrame>
      <Button variant="primary" type="submit" pending={pending}>
        {pending ? "Setting up..." : "Create my site"}
      </Button>
    </form>
  );
}

const NOTHING: Answers = { siteName: "", username: "", email: "", password: "" };

function useSetup(token: string, answers: Answers) {
  const [pending, run] = usePending();
  const [wrong, setWrong] = useState<Partial<Answers>>({});
  const navigate = useNavigate();
  const setUp = async () => {
    setWrong({});
    try {
      const body = { token, ...answers };
      const user = await call<CurrentUser>("/api/setup", { method: "POST", body });
      rememberUser(user);
      await navigate({ to: "/admin/dashboard", replace: true });
    } catch (error) {
      setWrong((error instanceof CallFailed && error.body.fields) || {});
      toastError(failureWords(error, "The site couldn't be set up. Please try again."));
    }
  };
  return {
    pending,
    wrong,
    submit: (event: FormEvent) => {
      event.preventDefault();
      void run(setUp);
    },
  };
}
