/** The owner's routes for the site's mail. */
import { getMailDomain } from "../shared/mailbox.ts";
import { Elysia } from "elysia";
import * as v from "valibot";
import { emailSchema } from "../../schema/core/email.ts";
import { textSchema } from "../../schema/kinds/fields.ts";
import {
  MAX_SIGNATURE_LENGTH,
  mailAccountSchema,
  NOTIFICATION_FREQUENCIES,
  templateInputSchema,
} from "../../schema/people/mail.ts";
import type { MailState, MessageSummary } from "../../schema/api/mailResponses.ts";
import type { AccessGuard } from "../accounts/guard.ts";
import { readCheckedJson } from "../http/body.ts";
import { type Clock, getTimestamp } from "../shared/clock.ts";
import { conflict, invalidInput, notFound } from "../shared/errors.ts";
import { checkDomain } from "./transports/domainCheck.ts";
import {
  type Mail,
  type SendingAccount,
  createDefaultSignature,
  createDefaultTemplates,
} from "./mail.ts";
import { sendTestMail } from "./messages/selfTest.ts";
import type { SessionMailLimits } from "./sessionMailLimits.ts";
import type { StoredMessage } from "./queue/messageKinds.ts";

interface MailRoutesContext {
  readonly guard: AccessGuard;
  readonly mail: Mail;
  readonly sessionMailLimits: SessionMailLimits;
  readonly clock: Clock;
  /** Returns the webhook's state, which the screen of the mail settings also shows. */
  readonly getWebhookState: () => MailState["webhook"];
}

const MAX_LISTED_MESSAGES = 50;

/**
 * `GET /api/mail` returns the settings without the secret, and the last messages. `POST` and `DELETE` need a confirmed
 * password, since whoever controls the mail account can read the links that reset passwords.
 */
export function createMailRoutes(context: MailRoutesContext) {
  const { guard, mail, clock } = context;
  const readState = () => readMailState(context);
  return new Elysia({ prefix: "/api/mail" })
    .use(guard)
    .get("", readState, { owner: true })
    .post(
      "",
      async ({ request, logAudit }) => {
        const input = await readCheckedJson(settingsSchema, request, "account");
        await saveSettings(mail, input, getTimestamp(clock));
        logAudit("settings", "changed the email settings");
        mail.outbox.sendDue();
        // If this request turned on the daily test, its first message is queued now.
        await mail.queueDueMessages();
        return readState();
      },
      { owner: "reauthenticated", parse: "none" },
    )
    .delete(
      "",
      async ({ logAudit }) => {
        if (mail.isSetByConfig) throw conflict(SET_BY_CONFIG_MESSAGE);
        const noAccount = { account: null, sealedSecret: null, since: null };
        await mail.settings.update((value) => ({ ...value, ...noAccount }));
        logAudit("settings", "turned off email");
        return readState();
      },
      { owner: "reauthenticated" },
    )
    .use(createMailTestRoutes(context));
}

function createMailTestRoutes({ guard, mail, sessionMailLimits }: MailRoutesContext) {
  return new Elysia()
    .use(guard)
    .post(
      "/test",
      async ({ request, owner }) => {
        const { to = owner.email } = await readCheckedJson(testSchema, request, "account");
        const sendingAccount = requireAccount(mail);
        sessionMailLimits.assertTestAllowed(owner, to);
        return sendTestMail(mail.getBranding(), sendingAccount, to);
      },
      { owner: true, parse: "none" },
    )
    .get(
      "/domain",
      () => {
        const { credentials, from } = requireAccount(mail);
        return checkDomain(credentials.account, getMailDomain(from.address));
      },
      { owner: true },
    )
    .post(
      "/messages/:id/retry",
      async ({ params: { id } }) => {
        const message = await mail.outbox.retry(id);
        if (!message) throw notFound(NOTHING_TO_SEND_MESSAGE);
        return toMessageSummary(mail, message);
      },
      { owner: true },
    );
}

const SET_BY_CONFIG_MESSAGE =
  "Email is configured by MAIL_URL. Change it there, then restart Limelight.";
const NOTHING_TO_SEND_MESSAGE =
  "There is nothing left to send: this message was sent, or its content was deleted.";
const NOT_SET_UP_MESSAGE = "Set up email first: choose a provider, then save.";

function requireAccount(mail: Mail): SendingAccount {
  const sendingAccount = mail.getAccount();
  if (!sendingAccount) throw conflict(NOT_SET_UP_MESSAGE);
  return sendingAccount;
}

const settingsSchema = v.partial(
  v.object({
    preset: textSchema(40),
    account: mailAccountSchema,
    /** The account's password or key; if omitted, the stored one stays. */
    secret: v.pipe(v.string(), v.maxLength(1000)),
    fromName: textSchema(120),
    fromAddress: emailSchema,
    notify: v.picklist(NOTIFICATION_FREQUENCIES.map(({ value }) => value)),
    notifyTo: v.nullable(emailSchema),
    selfTest: v.boolean(),
    signature: textSchema(MAX_SIGNATURE_LENGTH),
    replyTemplates: v.pipe(v.array(templateInputSchema), v.maxLength(12)),
  }),
);

const testSchema = v.partial(v.object({ to: emailSchema }));

async function saveSettings(
  mail: Mail,
  input: v.InferOutput<typeof settingsSchema>,
  now: string,
): Promise<void> {
  const { secret, ...settings } = input;
  const hasAccountFields = ["account", "secret", "fromName", "fromAddress", "preset"].some(
    (name) => name in input,
  );
  if (mail.isSetByConfig && hasAccountFields) throw conflict(SET_BY_CONFIG_MESSAGE);
  if (input.account?.kind === "smtp" && input.account.security === "none")
    throw invalidInput("Choose TLS or STARTTLS: a password is never sent unencrypted.", {
      security: "Choose TLS or STARTTLS.",
    });
  await mail.saveSettings((value) => {
    const newSettings = {
      ...value,
      ...settings,
      ...(secret !== undefined && { sealedSecret: mail.seal.seal(secret) }),
    };
    if (newSettings.account !== null && newSettings.fromAddress === "")
      throw invalidInput("Enter the sender's email address.", {
        fromAddress: "Enter the sender's email address.",
      });
    // A changed account needs its password again, so that the stored password isn't sent to another server.
    const isAccountChanged = JSON.stringify(newSettings.account) !== JSON.stringify(value.account);
    if (isAccountChanged && secret === undefined && value.sealedSecret !== null)
      throw invalidInput("The account has changed. Enter the password or key again.", {
        secret: "Enter it again, because the account has changed.",
      });
    const since = newSettings.notify === value.notify ? (newSettings.since ?? now) : now;
    // Default texts aren't stored, so they follow the site's language.
    const defaultTemplates = createDefaultTemplates(mail);
    const hasDefaultTemplates = Bun.deepEquals(newSettings.replyTemplates, defaultTemplates);
    return { ...newSettings, ...(hasDefaultTemplates && { replyTemplates: null }), since };
  });
}

async function readMailState({ mail, getWebhookState }: MailRoutesContext): Promise<MailState> {
  const { items, total } = await mail.outbox.listPage({ offset: 0, limit: MAX_LISTED_MESSAGES });
  const settings = mail.settings.read().value;
  const sendingAccount = mail.getAccount();
  return {
    isFixed: mail.isSetByConfig,
    isSetUp: sendingAccount !== undefined,
    preset: settings.preset,
    account: sendingAccount?.credentials.account ?? settings.account,
    hasSecret: (sendingAccount?.credentials.secret ?? "") !== "",
    fromName: sendingAccount?.from.name ?? settings.fromName,
    fromAddress: sendingAccount?.from.address ?? settings.fromAddress,
    notify: settings.notify,
    notifyTo: settings.notifyTo,
    owners: mail.listOwnerAddresses(),
    selfTest: await mail.readSelfTestState(),
    webhook: getWebhookState(),
    signature: settings.signature,
    usualSignature: createDefaultSignature(mail),
    replyTemplates: settings.replyTemplates ?? createDefaultTemplates(mail),
    messages: items.map((each) => toMessageSummary(mail, each)),
    total,
    ...(await mail.outbox.countProblems()),
  };
}

function toMessageSummary(mail: Mail, message: StoredMessage): MessageSummary {
  const { id, kind, subject, state, attempts, problem, said, createdAt, sentAt } = message;
  const to = mail.outbox.formatRecipientName(message);
  const nextAt = new Date(message.nextAt).toISOString();
  const needsAttention = mail.outbox.isProblem(message);
  const status = { state, needsAttention, attempts, nextAt, problem, said };
  return { id, kind, to, subject, ...status, createdAt, sentAt };
}
