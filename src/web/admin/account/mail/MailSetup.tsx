/** The mail account: a provider, its fields, and the sender. */
import Lock from "lucide-react/icons/lock";
import { MAIL_SECURITY_OPTIONS } from "../../../../schema/people/mail.ts";
import type { MailState } from "../../../../schema/api/mailResponses.ts";
import { Button } from "../../../ui/Button.tsx";
import { PasswordField, TextField } from "../../../ui/Field.tsx";
import {
  Form,
  type FormState,
  joinFormValues,
  SubmitButton,
  useForm,
  useFormValues,
} from "../../../ui/Form.tsx";
import { SelectField } from "../../../ui/SelectField.tsx";
import { useAction } from "../../../ui/useAction.ts";
import { MAIL_SAVE_MESSAGES, saveMail, turnOffMail } from "./mail.ts";
import { useUnsentForm } from "../../data/useUnsentForm.ts";
import { Badge, Card } from "../../parts/Card.tsx";
import { CheckboxField, RadioField } from "../../parts/ChoiceFields.tsx";
import {
  type AccountFieldName,
  MAIL_PRESETS,
  type AccountFormValues,
  toAccountFormValues,
} from "./mailPresets.ts";

export function MailSetup({ state }: { state: MailState }) {
  return state.isFixed ? <ReadOnlyMailSetup state={state} /> : <MailForm state={state} />;
}

function ReadOnlyMailSetup({ state }: { state: MailState }) {
  const { account, fromName, fromAddress } = state;
  const server = account?.kind === "smtp" ? `${account.host}, ${account.port}` : account?.kind;
  return (
    <Card title="Email setup" actions={<Badge tone="ok">On</Badge>}>
      <p className="row">
        <Lock size={16} aria-hidden="true" /> Set on the server (MAIL_URL): {server}
      </p>
      <p className="quiet">
        Email is sent from {fromName === "" ? fromAddress : `${fromName} <${fromAddress}>`}.
      </p>
    </Card>
  );
}

interface MailFormValues extends AccountFormValues {
  readonly preset: string | null;
  readonly fromName: string;
}

const MAIL_FORM = { key: "mailSettings", part: "form", label: "Email settings" } as const;

const EMPTY_SECRET = { secret: "" };

function MailForm({ state }: { state: MailState }) {
  const unsentForm = useUnsentForm<MailFormValues>(MAIL_FORM, {
    ...toAccountFormValues(state.account),
    preset: state.preset,
    fromAddress: state.fromAddress,
    fromName: state.fromName,
  });
  const secrets = useFormValues(EMPTY_SECRET);
  const preset = MAIL_PRESETS.find(({ key }) => key === unsentForm.values.preset);
  const form = useForm(joinFormValues(unsentForm, secrets), {
    save: async ({ secret, ...values }) => {
      if (!preset) return;
      const account = preset.createAccount(values);
      const isSameAccount = JSON.stringify(account) === JSON.stringify(state.account);
      await saveMail({
        preset: preset.key,
        account,
        fromName: values.fromName,
        fromAddress: values.fromAddress,
        ...((secret !== "" || !isSameAccount) && { secret }),
      });
      unsentForm.discard();
      secrets.setValues(EMPTY_SECRET);
    },
    ...MAIL_SAVE_MESSAGES,
    success: preset && MAIL_SAVE_MESSAGES.success,
  });
  return (
    <Card
      title="Email setup"
      note="lets your site send email to you and on your behalf"
      actions={state.isSetUp && <Badge tone="ok">On</Badge>}
    >
      <Form form={form}>
        <RadioField
          name="preset"
          label="Which email provider do you use?"
          options={PROVIDER_CHOICES}
          className="mail-presets auto-grid"
          legendClass="field-label"
          optionClass="ui-button option"
        />
        {preset && <AccountFields preset={preset} form={form} state={state} />}
      </Form>
    </Card>
  );
}

type MailPreset = (typeof MAIL_PRESETS)[number];

const PROVIDER_CHOICES = MAIL_PRESETS.map(({ key, label }) => ({ value: key, label }));

interface AccountFieldsProps {
  readonly preset: MailPreset;
  readonly form: FormState<MailFormValues & typeof EMPTY_SECRET>;
  readonly state: MailState;
}

function AccountFields({ preset, form, state }: AccountFieldsProps) {
  return (
    <>
      <p className="quiet">{preset.help}</p>
      <div className="split gap-16">
        <TextField
          name="fromAddress"
          label="Sender email address"
          type="email"
          autoComplete="email"
          {...NO_CORRECTION_PROPS}
        />
        {preset.fields.map((field) => (
          <AccountField key={field} field={field} form={form} />
        ))}
        <PasswordField
          name="secret"
          label={preset.secretLabel}
          hint={
            state.hasSecret && form.values.secret === ""
              ? "Saved, but not shown here. Leave empty to keep the current one."
              : undefined
          }
          autoComplete="off"
        />
        <TextField
          name="fromName"
          label="Sender name"
          autoComplete="off"
          {...NO_CORRECTION_PROPS}
        />
      </div>
      <div className="actions">
        {state.account !== null && <TurnOffMailButton />}
        <SubmitButton pendingLabel="Saving...">Save</SubmitButton>
      </div>
    </>
  );
}

const NO_CORRECTION_PROPS = { autoCapitalize: "off", spellCheck: false };

function TurnOffMailButton() {
  const [isPending, turnOff] = useAction(turnOffMail, {
    success: "Email turned off",
    failure: "Couldn't turn off email",
  });
  return (
    <Button variant="quiet" isPending={isPending} onClick={turnOff}>
      Turn off email
    </Button>
  );
}

const FIELD_LABELS: Readonly<Record<Exclude<AccountFieldName, "security" | "eu">, string>> = {
  host: "SMTP server",
  port: "Port",
  username: "Username (if it isn't your email address)",
  domain: "Mailgun domain",
  region: "Region, such as eu-west-1",
  keyId: "SMTP username",
};

interface AccountFieldProps {
  readonly field: AccountFieldName;
  readonly form: FormState<MailFormValues>;
}

function AccountField({ field, form }: AccountFieldProps) {
  if (field === "security") return <SecurityField form={form} />;
  if (field === "eu")
    return <CheckboxField name="eu" label="My Mailgun domain is in the EU region" />;
  return (
    <TextField
      name={field}
      label={FIELD_LABELS[field]}
      autoComplete="off"
      {...NO_CORRECTION_PROPS}
    />
  );
}

/** Choosing an encryption also sets its usual port, unless the owner has entered a different port. */
function SecurityField({ form: { values, setValues } }: Pick<AccountFieldProps, "form">) {
  const choose = (security: string) =>
    setValues({
      security: security as AccountFormValues["security"],
      ...(["465", "587"].includes(values.port) && { port: security === "tls" ? "465" : "587" }),
    });
  return (
    <SelectField
      name="security"
      label="Encryption"
      options={MAIL_SECURITY_OPTIONS}
      onChoose={choose}
    />
  );
}
