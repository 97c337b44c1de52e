/** The mail providers to choose from, the fields that each needs, and where owners find the values. */
import type { MailAccount } from "../../../../schema/people/mail.ts";

/** The form's values for all providers. A preset uses only some of them. */
export interface AccountFormValues {
  readonly fromAddress: string;
  readonly host: string;
  readonly port: string;
  readonly security: "tls" | "starttls";
  readonly username: string;
  readonly domain: string;
  readonly eu: boolean;
  readonly region: string;
  readonly keyId: string;
}

export type AccountFieldName = Exclude<keyof AccountFormValues, "fromAddress">;

interface MailPreset {
  readonly key: string;
  readonly label: string;
  /** The fields that the provider needs besides the sender's address and the secret. */
  readonly fields: readonly AccountFieldName[];
  readonly secretLabel: string;
  readonly help: string;
  readonly createAccount: (values: AccountFormValues) => MailAccount;
}

const createMailboxPreset = (
  key: string,
  label: string,
  host: string,
  port: 465 | 587,
  help: string,
): MailPreset => ({
  key,
  label,
  fields: [],
  secretLabel: "App password",
  help,
  createAccount: ({ fromAddress }) => ({
    kind: "smtp",
    host,
    port,
    security: port === 465 ? "tls" : "starttls",
    username: fromAddress,
  }),
});

export const MAIL_PRESETS: readonly MailPreset[] = [
  createMailboxPreset(
    "gmail",
    "Gmail",
    "smtp.gmail.com",
    465,
    'Gmail needs an app password, not your regular one. Turn on 2-Step Verification at myaccount.google.com, search for "App passwords", create one named Limelight and paste it here.',
  ),
  createMailboxPreset(
    "outlook",
    "Outlook",
    "smtp.office365.com",
    587,
    'Works for Microsoft 365 accounts with "Authenticated SMTP" turned on. Personal Outlook.com addresses no longer work.',
  ),
  createMailboxPreset(
    "icloud",
    "iCloud",
    "smtp.mail.me.com",
    587,
    "iCloud needs an app-specific password. Go to account.apple.com > Sign-In and Security > App-Specific Passwords.",
  ),
  createMailboxPreset(
    "fastmail",
    "Fastmail",
    "smtp.fastmail.com",
    465,
    "Fastmail needs an app password with SMTP access. Go to Settings > Privacy & Security > App passwords.",
  ),
  {
    key: "postmark",
    label: "Postmark",
    fields: [],
    secretLabel: "Server API token",
    help: "Find the token in Postmark under your server > API Tokens. Verify your sender address or domain in Postmark first.",
    createAccount: () => ({ kind: "postmark" }),
  },
  {
    key: "resend",
    label: "Resend",
    fields: [],
    secretLabel: "API key",
    help: "Create a key with sending access in Resend under API Keys. Verify your domain there first.",
    createAccount: () => ({ kind: "resend" }),
  },
  {
    key: "mailgun",
    label: "Mailgun",
    fields: ["domain", "eu"],
    secretLabel: "Sending API key",
    help: "Find the key in Mailgun under Sending > Domain settings > Sending keys.",
    createAccount: ({ domain, eu }) => ({ kind: "mailgun", domain, eu }),
  },
  {
    key: "ses",
    label: "Amazon SES",
    fields: ["region", "keyId"],
    secretLabel: "SMTP password",
    help: "Find the password in Amazon SES under SMTP settings > Create SMTP credentials. New accounts can only send to verified addresses.",
    createAccount: ({ region, keyId }) => ({ kind: "ses", region, keyId }),
  },
  {
    key: "other",
    label: "Other",
    fields: ["host", "port", "security", "username"],
    secretLabel: "Password",
    help: 'Look for "SMTP" or "outgoing mail server" in your provider\'s help.',
    createAccount: ({ host, port, security, username, fromAddress }) => ({
      kind: "smtp",
      host,
      port: Number(port),
      security,
      username: username === "" ? fromAddress : username,
    }),
  },
];

export function toAccountFormValues(
  account: MailAccount | null,
): Omit<AccountFormValues, "fromAddress"> {
  const emptyValues = {
    host: "",
    port: "465",
    security: "tls" as const,
    username: "",
    domain: "",
    eu: false,
    region: "",
    keyId: "",
  };
  if (account === null) return emptyValues;
  const { kind: _, ...fields } = account;
  const port = "port" in fields ? { port: String(fields.port) } : {};
  return { ...emptyValues, ...(fields as Partial<AccountFormValues>), ...port };
}
