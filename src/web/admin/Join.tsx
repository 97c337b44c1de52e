/** The page of an invitation, reached by its one-time link: a username, a password, and in. */
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { type CurrentUser, MIN_PASSWORD_LENGTH } from "../../schema/accounts.ts";
import { roleLabel, ROLES } from "../../schema/roles.ts";
import { call, CallFailed } from "../shared/api.ts";
import { Button } from "../ui/Button.tsx";
import { failureWords, toastError } from "../ui/messages.ts";
import { rememberUser } from "./data/session.ts";
import { usePending } from "./data/usePending.ts";
import { OneTimeLink, useLinkToken } from "./frame/OneTimeLink.tsx";
import { Stage } from "./frame/Stage.tsx";
import { FieldFrame, PasswordInput } from "./parts/FieldFrame.tsx";

interface Invitation {
  readonly email: string;
  readonly role: string;
  readonly siteName: string;
}

export function Join() {
  const token = useLinkToken() ?? "";
  return (
    <OneTimeLink<Invitation> token={token} path="/api/join/invitation" title="Join the site">
      {({ email, role, siteName }) => (
        <Stage title={`Join ${siteName}`} note={`${roleLabel(role)}: ${mayOf(role)}.`}>
          <JoinForm token={token} email={email} />
        </Stage>
      )}
    </OneTimeLink>
  );
}

const mayOf = (role: string) => ROLES.find(({ value }) => value === role)?.may;

type Answers = Record<"username" | "password", string>;

function JoinForm({ token, email }: { token: string; email: string }) {
  const [answers, setAnswers] = useState<Answers>({ username: "", password: "" });
  const [wrong, setWrong] = useState<Partial<Answers>>({});
  const [pending, run] = usePending();
  const navigate = useNavigate();
  const join = async () => {
    setWrong({});
    try {
      const body = { token, ...answers };
      rememberUser(await call<CurrentUser>("/api/join", { method: "POST", body }));
      await navigate({ to: "/admin/dashboard" });
    } catch (error) {
      setWrong((error instanceof CallFailed && error.body.fields) || {});
      toastError(failureWords(error, "You couldn't be let in. Try again."));
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(join);
  };
  const input = (name: keyof Answers) => ({
    id: name,
    name,
    value: answers[name],
    disabled: pending,
    "aria-invalid": wrong[name] !== undefined || undefined,
    "aria-describedby": `${name}-note`,
  });
  return (
    <form className="fields" onSubmit={submit} noValidate>
      <FieldFrame id="join-email" label="Email">
        <input id="join-email" value={email} readOnly autoComplete="email" />
      </FieldFrame>
      <FieldFrame id="username" label="Username" error={wrong.username}>
        <input
          {...input("username")}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          onChange={({ target }) => setAnswers({ ...answers, username: target.value })}
        />
      </FieldFrame>
      <FieldFrame
        id="password"
        label="Password"
        error={wrong.password}
        hint={`At least ${MIN_PASSWORD_LENGTH} characters. Three or four words in a row are easy to remember.`}
      >
        <PasswordInput
          {...input("password")}
          autoComplete="new-password"
          onChange={(password) => setAnswers({ ...answers, password })}
        />
      </FieldFrame>
      <Button variant="primary" type="submit" pending={pending}>
        {pending ? "Joining..." : "Join"}
      </Button>
    </form>
  );
}
