/** Who carries the mail: a provider, what it asks for, and the sender. */
import Lock from "lucide-react/icons/lock";
import { type FormEvent, useState } from "react";
import { MAIL_SECURITY } from "../../../schema/mail.ts";
import type { MailState } from "../../../schema/mailAnswers.ts";
import { CallFailed } from "../../shared/api.ts";
import { Button } from "../../ui/Button.tsx";
import { saveMail, switchMailOff } from "../data/mail.ts";
import { failureWords, toastFailure, toastSuccess } from "../../ui/messages.ts";
import { usePending } from "../data/usePending.ts";
import { useTyped } from "../data/useTyped.ts";
import { Badge, Card } from "../parts/Card.tsx";
import { FieldFrame, PasswordInput } from "../parts/FieldFrame.tsx";
import { type AskedFor, MAIL_PRESETS, type TypedAccount, typedOf } from "./mailPresets.ts";

export function MailSetup({ state }: { state: MailState }) {
  return state.isFixed ? <FixedMail state={state} /> : <MailForm state={state} />;
}

/** Set by the machine's settings: shown, not changed. */
function FixedMail({ state }: { state: MailState }) {
  const { account, fromName, fromAddress } = state;
  const place = account?.kind === "smtp" ? `${account.host}, ${account.port}` : account?.kind;
  return (
    <Card title="Mail set-up" actions={<Badge tone="ok">On</Badge>}>
      <p className="mail-fixed">
        <Lock size={16} aria-hidden="true" /> Set where the site runs (MAIL_URL): {place}
      </p>
      <p className="quiet">
        Messages come from {fromName === "" ? fromAddress : `${fromName} <${fromAddress}>`}.
      </p>
    </Card>
  );
}

type Wrong = Readonly<Record<string, string>>;

/** What is typed but the secret. */
interface TypedMail extends TypedAccount {
  readonly preset: string | null;
  readonly name: string;
}

const PLACE = { key: "mailSettings", part: "form", name: "Mail" } as const;

function MailForm({ state }: { state: MailState }) {
  const form = useTyped<TypedMail>(PLACE, {
    ...typedOf(state.account, state.fromAddress),
    preset: state.preset,
    name: state.fromName,
  });
  const { values: typed, set } = form;
  const { name } = typed;
  const preset = MAIL_PRESETS.find(({ key }) => key === typed.preset);
  // A secret isn't written to this device.
  const [secret, setSecret] = useState("");
  const [wrong, setWrong] = useState<Wrong>({});
  const [pending, run] = usePending();
  const save = async () => {
    setWrong({});
    if (!preset) return;
    const account = preset.account(typed);
    const isSame = JSON.stringify(account) === JSON.stringify(state.account);
    try {
      await saveMail({
        preset: preset.key,
        account,
        fromName: name,
        fromAddress: typed.address,
        ...((secret !== "" || !isSame) && { secret }),
      });
      form.forget();
      setSecret("");
      toastSuccess("Mail saved successfully");
    } catch (error) {
      const fields = error instanceof CallFailed ? error.body.fields : undefined;
      setWrong(fields ?? {});
      toastFailure(error, failureWords(error, "Failed to save mail"));
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(save);
  };
  return (
    <Card
      title="Mail set-up"
      note="so that the site can write to you and for you"
      actions={state.isSetUp && <Badge tone="ok">On</Badge>}
    >
      <form className="fields" onSubmit={submit} noValidate>
        <fieldset className="mail-presets">
          <legend className="field-label">Who carries your mail?</legend>
          {MAIL_PRESETS.map((each) => (
            <label key={each.key}>
              <input
                type="radio"
                name="preset"
                checked={each === preset}
                onChange={() => set({ preset: each.key })}
              />
              <span>{each.label}</span>
            </label>
          ))}
        </fieldset>
        {preset && (
          <>
            <p className="quiet">{preset.help}</p>
            <div className="mail-fields">
              <Text
                id="mail-address"
                label="Your address"
                type="email"
                value={typed.address}
                error={wrong.fromAddress}
                onChange={(address) => set({ address })}
              />
              {preset.asks.map((asked) => (
                <Asked key={asked} asked={asked} typed={typed} wrong={wrong} set={set} />
              ))}
              <FieldFrame
                id="mail-secret"
                label={preset.secret}
                error={wrong.secret}
                hint={
                  state.hasSecret && secret === ""
                    ? "Kept here, and never shown again. Leave it empty to keep it."
                    : undefined
                }
              >
                <PasswordInput
                  id="mail-secret"
                  autoComplete="off"
                  aria-describedby="mail-secret-note"
                  value={secret}
                  onChange={setSecret}
                />
              </FieldFrame>
              <Text
                id="mail-name"
                label="Sender's name"
                value={name}
                error={wrong.fromName}
                onChange={(fromName) => set({ name: fromName })}
              />
            </div>
            <div className="dialog-actions">
              {state.account !== null && <SwitchOff />}
              <Button variant="primary" type="submit" pending={pending}>
                {pending ? "Saving..." : "Save"}
              </Button>
            </div>
          </>
        )}
      </form>
    </Card>
  );
}

function SwitchOff() {
  const [pending, run] = usePending();
  return (
    <Button variant="quiet" pending={pending} onClick={() => void run(switchOff)}>
      Switch mail off
    </Button>
  );
}

async function switchOff(): Promise<void> {
  try {
    await switchMailOff();
    toastSuccess("The site sends no mail any more");
  } catch (error) {
    toastFailure(error, "Failed to switch mail off");
  }
}

const LABELS: Readonly<Record<Exclude<AskedFor, "security" | "eu">, string>> = {
  host: "Mail server",
  port: "Port",
  username: "Username, if it isn't your address",
  domain: "Domain at Mailgun",
  region: "Region, such as eu-west-1",
  keyId: "Access key ID",
};

interface AskedProps {
  readonly asked: AskedFor;
  readonly typed: TypedAccount;
  readonly wrong: Wrong;
  readonly set: (change: Partial<TypedAccount>) => void;
}

/** One of what a provider asks for besides address and secret. */
function Asked({ asked, typed, wrong, set }: AskedProps) {
  if (asked === "security") return <Security typed={typed} set={set} />;
  if (asked === "eu")
    return (
      <label className="mail-check">
        <input
          type="checkbox"
          checked={typed.eu}
          onChange={({ target }) => set({ eu: target.checked })}
        />
        The domain is in Mailgun's EU region
      </label>
    );
  return (
    <Text
      id={`mail-${asked}`}
      label={LABELS[asked]}
      value={typed[asked]}
      error={wrong[asked]}
      onChange={(value) => set({ [asked]: value })}
    />
  );
}

/** The port follows, unless another was typed. */
function Security({ typed, set }: Pick<AskedProps, "typed" | "set">) {
  const choose = (security: TypedAccount["security"]) =>
    set({
      security,
      ...(["465", "587"].includes(typed.port) && { port: security === "tls" ? "465" : "587" }),
    });
  return (
    <FieldFrame id="mail-security" label="Encryption">
      <select
        id="mail-security"
        value={typed.security}
        onChange={({ target }) => choose(target.value as TypedAccount["security"])}
      >
        {MAIL_SECURITY.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}

interface TextProps {
  readonly id: string;
  readonly label: string;
  readonly type?: "text" | "email";
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

function Text({ id, label, type = "text", value, error, onChange }: TextProps) {
  return (
    <FieldFrame id={id} label={label} error={error}>
      <input
        id={id}
        type={type}
        autoComplete={type === "email" ? "email" : "off"}
        autoCapitalize="off"
        spellCheck={false}
        aria-describedby={`${id}-note`}
        aria-invalid={error !== undefined || undefined}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </FieldFrame>
  );
}
