/** The setup page of a new site, reached by the one-time link in the log. */
import { useNavigate } from "@tanstack/react-router";
import type { CurrentUser } from "../../schema/people/accounts.ts";
import { LANGUAGES } from "../../schema/core/languages.ts";
import { call } from "../shared/api.ts";
import { TextField } from "../ui/Field.tsx";
import { Form, Submit, useForm, useValues } from "../ui/Form.tsx";
import { SelectField } from "../ui/SelectField.tsx";
import { browserZone, rememberUser } from "./data/session.ts";
import { NewPasswordField, OneTimeLink, useLinkToken } from "./frame/OneTimeLink.tsx";
import { Stage } from "./frame/Stage.tsx";

export function Setup() {
  const token = useLinkToken() ?? "";
  return (
    <OneTimeLink token={token} path="/api/setup/token" title="Set up your site">
      {() => (
        <Stage title="Set up your site" note="Fill in five fields to create your site.">
          <SetupForm token={token} />
        </Stage>
      )}
    </OneTimeLink>
  );
}

const NOTHING = { siteName: "", username: "", email: "", password: "" };

/** The browser's language as far as it is offered, for a site's first. */
function browserLanguage(): string {
  const tags = navigator.languages.flatMap((tag) => [tag, tag.replace(/-.*/s, "")]);
  return tags.find((tag) => LANGUAGES.some(({ value }) => value === tag)) ?? "en";
}

function SetupForm({ token }: { token: string }) {
  const navigate = useNavigate();
  const form = useForm(useValues({ language: browserLanguage(), ...NOTHING }), {
    save: async (answers) => {
      const body = { token, ...answers, timeZone: browserZone() };
      rememberUser(await call<CurrentUser>("/api/setup", { method: "POST", body }));
      await navigate({ to: "/admin/dashboard", replace: true });
    },
    failure: "Couldn't create the site. Try again.",
  });
  return (
    <Form of={form}>
      <SelectField
        name="language"
        label="Language of your site"
        hint="What your visitors read. The dashboard is in English."
        options={LANGUAGES}
      />
      <TextField name="siteName" label="Site name" autoComplete="organization" />
      <TextField name="username" label="Username" autoComplete="username" />
      <TextField name="email" label="Email address" type="email" autoComplete="email" />
      <NewPasswordField name="password" label="Password" />
      <Submit pendingLabel="Creating site...">Create site</Submit>
    </Form>
  );
}
