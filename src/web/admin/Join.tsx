/** The page of an invitation, reached by its one-time link: a username, a password, and in. */
import { useQuery } from "@tanstack/react-query";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { type CurrentUser, MIN_PASSWORD_LENGTH } from "../../schema/accounts.ts";
import { roleLabel, ROLES } from "../../schema/roles.ts";
import { call, CallFailed } from "../shared/api.ts";
import { Button } from "../ui/Button.tsx";
import { failureWords, toastError } from "./data/messages.ts";
import { rememberUser } from "./data/session.ts";
import { usePending } from "./data/usePending.ts";
import { Stage } from "./frame/Stage.tsx";
import { FieldFrame, PasswordInput } from "./parts/FieldFrame.tsx";
import { LoadFailed, Loading } from "./parts/WhenRead.tsx";

interface Invitation {
  readonly email: string;
  readonly role: string;
  readonly siteName: string;
}

/** The form, or in plain words that the link is dead. */
export function Join() {
  const token = new URLSearchParams(useLocation({ select: ({ hash }) => hash })).get("token") ?? "";
  const { data, error, refetch } = useQuery({
    queryKey: ["join", token],
    queryFn: () => {
      const options = { method: "POST", body: { token } } as const;
      return call<Invitation>("/api/join/invitation", options);
    },
  });
  if (error instanceof CallFailed && error.status === 404)
    return (
      <Stage title="This link no longer works" note={error.message}>
        <a className="ui-button" data-variant="neutral" href="/admin/login">
          Go to login
        </a>
      </Stage>
    );
  if (error)
    return (
      <Stage title="Join the site" note="">
        <LoadFailed what="this page" onRetry={() => void refetch()} />
      </Stage>
    );
  if (!data) return <Loading words="Loading..." rows={0} />;
  const may = ROLES.find(({ value }) => value === data.role)?.may;
  return (
    <Stage title={`Join ${data.siteName}`} note={`${roleLabel(data.role)}: ${may}.`}>
      <JoinForm token={token} email={data.email} />
    </Stage>
  );
}

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
