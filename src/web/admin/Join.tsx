/** The page of an invitation's one-time link: choose a username and a password. */
import { useNavigate } from "@tanstack/react-router";
import type { CurrentUser } from "../../schema/people/accounts.ts";
import { roleLabel, ROLES } from "../../schema/core/roles.ts";
import { callApi } from "../shared/api.ts";
import { createReadOnlyState, TextField } from "../ui/Field.tsx";
import { Form, SubmitButton, useForm, useFormValues } from "../ui/Form.tsx";
import { setCurrentUser } from "./data/session.ts";
import { NewPasswordField, OneTimeLink, useLinkToken } from "./frame/OneTimeLink.tsx";
import { StagePage } from "./frame/Stage.tsx";

interface Invitation {
  readonly email: string;
  readonly role: string;
  readonly siteName: string;
}

export function JoinPage() {
  const token = useLinkToken() ?? "";
  return (
    <OneTimeLink<Invitation> token={token} path="/api/join/invitation" title="Join the site">
      {({ email, role, siteName }) => (
        <StagePage title={`Join ${siteName}`} note={`${roleLabel(role)}: ${roleRights(role)}.`}>
          <JoinForm token={token} email={email} />
        </StagePage>
      )}
    </OneTimeLink>
  );
}

const roleRights = (role: string) => ROLES.find(({ value }) => value === role)?.may;

function JoinForm({ token, email }: { token: string; email: string }) {
  const navigate = useNavigate();
  const form = useForm(useFormValues({ username: "", password: "" }), {
    save: async (answers) => {
      setCurrentUser(
        await callApi<CurrentUser>("/api/join", {
          method: "POST",
          body: { token, ...answers },
        }),
      );
      await navigate({ to: "/admin/dashboard" });
    },
    failure: "Couldn't create your account. Try again.",
  });
  return (
    <Form form={form}>
      <TextField
        state={createReadOnlyState(email)}
        label="Email address"
        readOnly
        autoComplete="email"
      />
      <TextField
        name="username"
        label="Username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
      />
      <NewPasswordField name="password" label="Password" />
      <SubmitButton pendingLabel="Creating account...">Create account</SubmitButton>
    </Form>
  );
}
