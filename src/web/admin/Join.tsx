/** The page of an invitation's one-time link: choose a username and a password. */
import { useNavigate } from "@tanstack/react-router";
import type { CurrentUser } from "../../schema/people/accounts.ts";
import { roleLabel, ROLES } from "../../schema/core/roles.ts";
import { call } from "../shared/api.ts";
import { readOnly, TextField } from "../ui/Field.tsx";
import { Form, Submit, useForm, useValues } from "../ui/Form.tsx";
import { rememberUser } from "./data/session.ts";
import { NewPasswordField, OneTimeLink, useLinkToken } from "./frame/OneTimeLink.tsx";
import { Stage } from "./frame/Stage.tsx";

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

function JoinForm({ token, email }: { token: string; email: string }) {
  const navigate = useNavigate();
  const form = useForm(useValues({ username: "", password: "" }), {
    save: async (answers) => {
      rememberUser(
        await call<CurrentUser>("/api/join", {
          method: "POST",
          body: { token, ...answers },
        }),
      );
      await navigate({ to: "/admin/dashboard" });
    },
    failure: "Couldn't create your account. Try again.",
  });
  return (
    <Form of={form}>
      <TextField state={readOnly(email)} label="Email address" readOnly autoComplete="email" />
      <TextField
        name="username"
        label="Username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
      />
      <NewPasswordField name="password" label="Password" />
      <Submit pendingLabel="Creating account...">Create account</Submit>
    </Form>
  );
}
