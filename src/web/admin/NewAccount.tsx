/** The pages of one-time links that create an account: the setup of a new site, and an invitation. */
import { useNavigate } from "@tanstack/react-router";
import { LANGUAGES } from "../../schema/core/languages.ts";
import { TextField, createReadOnlyState } from "../ui/Field.tsx";
import { Form, SubmitButton, useForm, useFormValues } from "../ui/Form.tsx";
import { SelectField } from "../ui/SelectField.tsx";
import { getBrowserTimeZone } from "../shared/localTime.ts";
import { startSession } from "./data/session.ts";
import { NewPasswordField, OneTimeLink, useLinkToken } from "./frame/OneTimeLink.tsx";
import { StandalonePage, UsernameField } from "./frame/StandalonePage.tsx";
import { getRoleLabel, ROLES } from "../../schema/core/roles.ts";

/** The page that the setup link opens. A new site writes this link to its log. */
export function Setup() {
  const token = useLinkToken() ?? "";
  return (
    <OneTimeLink token={token} path="/api/setup/token" title="Set up your site">
      {() => (
        <StandalonePage title="Set up your site" note="Fill in five fields to create your site.">
          <SetupForm token={token} />
        </StandalonePage>
      )}
    </OneTimeLink>
  );
}

const EMPTY_FORM = { siteName: "", username: "", email: "", password: "" };

/** Returns the first of the browser's languages that a site can have. Default: English. */
function findBrowserLanguage(): string {
  const tags = navigator.languages.flatMap((tag) => [tag, tag.replace(/-.*/s, "")]);
  return tags.find((tag) => LANGUAGES.some(({ value }) => value === tag)) ?? "en";
}

function SetupForm({ token }: { token: string }) {
  const navigate = useNavigate();
  const form = useForm(useFormValues({ language: findBrowserLanguage(), ...EMPTY_FORM }), {
    save: async (values) => {
      const body = { token, ...values, timeZone: getBrowserTimeZone() };
      await startSession("/api/setup", () => body);
      await navigate({ to: "/admin/dashboard", replace: true });
    },
    failure: "Couldn't create the site. Try again.",
  });
  return (
    <Form form={form}>
      <SelectField
        name="language"
        label="Site language"
        hint="The language your visitors see. The dashboard is in English."
        options={LANGUAGES}
      />
      <TextField name="siteName" label="Site name" autoComplete="organization" />
      <UsernameField name="username" label="Username" />
      <TextField name="email" label="Email address" type="email" autoComplete="email" />
      <NewPasswordField name="password" label="Password" />
      <SubmitButton pendingLabel="Creating site...">Create site</SubmitButton>
    </Form>
  );
}

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
        <StandalonePage
          title={`Join ${siteName}`}
          note={`${getRoleLabel(role)}: ${getRoleDescription(role)}.`}
        >
          <JoinForm token={token} email={email} />
        </StandalonePage>
      )}
    </OneTimeLink>
  );
}

const getRoleDescription = (role: string) => ROLES.find(({ value }) => value === role)?.description;

function JoinForm({ token, email }: { token: string; email: string }) {
  const navigate = useNavigate();
  const form = useForm(useFormValues({ username: "", password: "" }), {
    save: async (values) => {
      await startSession("/api/join", () => ({ token, ...values }));
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
      <UsernameField name="username" label="Username" />
      <NewPasswordField name="password" label="Password" />
      <SubmitButton pendingLabel="Creating account...">Create account</SubmitButton>
    </Form>
  );
}
