/** The setup page of a new site, reached by the one-time link in the log. */
import { useNavigate } from "@tanstack/react-router";
import type { CurrentUser } from "../../schema/accounts.ts";
import { call } from "../shared/api.ts";
import { Form, Submit, TextField, useForm, useValues } from "../ui/Form.tsx";
import { browserZone, rememberUser } from "./data/session.ts";
import { NewPasswordField, OneTimeLink, useLinkToken } from "./frame/OneTimeLink.tsx";
import { Stage } from "./frame/Stage.tsx";

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

const NOTHING = { siteName: "", username: "", email: "", password: "" };

function SetupForm({ token }: { token: string }) {
  const navigate = useNavigate();
  const form = useForm(useValues(NOTHING), {
    save: async (answers) => {
      const body = { token, ...answers, timeZone: browserZone() };
      rememberUser(await call<CurrentUser>("/api/setup", { method: "POST", body }));
      await navigate({ to: "/admin/dashboard", replace: true });
    },
    failure: "The site couldn't be set up. Please try again.",
  });
  return (
    <Form of={form}>
      <TextField name="siteName" label="Site name" autoComplete="organization" />
      <TextField name="username" label="Username" autoComplete="username" />
      <TextField name="email" label="Email" type="email" autoComplete="email" />
      <NewPasswordField name="password" label="Password" />
      <Submit pendingLabel="Setting up...">Create my site</Submit>
    </Form>
  );
}
