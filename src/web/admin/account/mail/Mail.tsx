/** The site's mail: problems, the account, tests, what is sent, and the messages. */
import { Row, Rows } from "../../../ui/Row.tsx";
import MailIcon from "lucide-react/icons/mail";
import RotateCw from "lucide-react/icons/rotate-cw";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import { MESSAGE_KINDS, NOTIFY } from "../../../../schema/people/mail.ts";
import type { MailState, MessageSummary } from "../../../../schema/api/mailResponses.ts";
import { Button } from "../../../ui/Button.tsx";
import { TextField } from "../../../ui/Field.tsx";
import { Form, Submit, useForm, useValues } from "../../../ui/Form.tsx";
import { useAction } from "../../../ui/useAction.ts";
import { MAIL_SAVED, retryMessage, saveMail, useMail } from "./mail.ts";
import { Badge, Card } from "../../parts/Card.tsx";
import { RadioField } from "../../parts/ChoiceFields.tsx";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { useSheet } from "../../parts/useSheet.ts";
import { when } from "../../../shared/when.ts";
import { Read } from "../../../ui/Read.tsx";
import css from "./Mail.css" with { type: "text" };
import { Devices } from "./Devices.tsx";
import { MailDomain } from "./MailDomain.tsx";
import { MailSetup } from "./MailSetup.tsx";
import { MailTests } from "./MailTests.tsx";
import { ReplySettings } from "./ReplySettings.tsx";
import { WebhookCard } from "./Webhook.tsx";

export function Mail() {
  useSheet(css);
  return (
    <Read of={useMail()} subject="the mail" loadingMessage="Loading email settings...">
      {(state) => (
        <>
          <Troubles state={state} />
          <MailSetup key={state.isSetUp ? "set" : "new"} state={state} />
          {state.isSetUp && <MailTests state={state} />}
          <NotificationSettings state={state} />
          <ReplySettings state={state} />
          <Devices />
          <WebhookCard webhook={state.webhook} />
          {state.isSetUp && <MailDomain address={state.fromAddress} />}
          <Messages messages={state.messages} />
        </>
      )}
    </Read>
  );
}

/** Messages delayed or not delivered, and a button to retry. */
function Troubles({ state }: { state: MailState }) {
  const stuck = state.messages.filter(
    (each) => each.state === "failed" || (each.state === "waiting" && each.attempts > 0),
  );
  const [pending, retryAll] = useAction(
    async () => {
      for (const { id } of stuck) await retryMessage(id); // oxlint-disable-line no-await-in-loop -- at the pace of the server
    },
    { failure: "Couldn't resend the emails" },
  );
  const [first] = stuck;
  const count = state.waiting + state.failed;
  if (count === 0) return null;
  return (
    <section
      className="callout row cluster gap-12"
      data-tone="warn"
      aria-label="There's a problem with email"
    >
      <TriangleAlert size={20} data-tone="warn" aria-hidden="true" />
      <div className="grow">
        <strong>
          {count === 1 ? "One email needs attention" : `${count} emails need attention`}
        </strong>
        {first && (
          <p className="small">
            {first.subject}. {first.problem}
          </p>
        )}
      </div>
      <Button pending={pending} onClick={retryAll}>
        Retry
      </Button>
    </section>
  );
}

/** The time at which the owner is notified of an enquiry. */
function NotificationSettings({ state }: { state: MailState }) {
  const [pending, notifyBy] = useAction(
    (notify: MailState["notify"]) => saveMail({ notify }),
    MAIL_SAVED,
  );
  return (
    <Card title="New submissions" note={`to ${state.notifyTo ?? state.owners.join(", ")}`}>
      {!state.isSetUp && (
        <p className="quiet">
          Until you set up email, you'll only see them in the dashboard, under Forms. Set it up
          above to get notified.
        </p>
      )}
      <RadioField
        state={{ value: state.notify, change: notifyBy, pending: pending || !state.isSetUp }}
        label="Email me about new submissions"
        options={NOTIFY}
        className="meta"
        legendClass="visually-hidden"
      />
      {state.isSetUp && <NotifyTo key={state.notifyTo} state={state} />}
    </Card>
  );
}

/** Another address than the owners' for enquiries and notices. */
function NotifyTo({ state }: { state: MailState }) {
  const form = useForm(useValues({ notifyTo: state.notifyTo ?? "" }), {
    save: ({ notifyTo }) => saveMail({ notifyTo: notifyTo.trim() === "" ? null : notifyTo }),
    ...MAIL_SAVED,
  });
  return (
    <Form of={form} className="stack gap-16 mail-to mt-12">
      <TextField
        name="notifyTo"
        label="Send them to"
        hint={`Alerts about backups, disk space and certificates are sent there too. Leave empty to use ${state.owners.join(", ")}.`}
        type="email"
        autoComplete="email"
      />
      <Submit variant="neutral" pendingLabel="Saving...">
        Save address
      </Submit>
    </Form>
  );
}

/** Recipient, subject, time and result. */
function Messages({ messages }: { messages: readonly MessageSummary[] }) {
  return (
    <Card title="Sent emails" note="newest first" flush>
      {messages.length === 0 ? (
        <EmptyState icon={MailIcon} title="Nothing sent yet">
          Emails from your site appear here with their status.
        </EmptyState>
      ) : (
        <Rows>
          {messages.map((message) => (
            <MessageRow key={message.id} message={message} />
          ))}
        </Rows>
      )}
    </Card>
  );
}

function MessageRow({ message }: { message: MessageSummary }) {
  const [pending, retry] = useAction(() => retryMessage(message.id), {
    failure: "Couldn't resend the emails",
  });
  const { tone, label } = stateOf(message);
  return (
    <Row
      title={message.subject}
      note={`${kindOf(message)} to ${message.to} · ${when(message.createdAt ?? "")}`}
      more={
        <>
          {message.problem && <span data-tone="warn">{message.problem}</span>}
          {message.said && <span className="quiet">{`"${message.said}"`}</span>}
        </>
      }
      className="mail-message cluster"
    >
      <Badge tone={tone}>{label}</Badge>
      {message.state !== "sent" && (
        <IconButton
          label={`Retry ${message.subject}`}
          icon={RotateCw}
          off={pending}
          onClick={retry}
        />
      )}
    </Row>
  );
}

const kindOf = ({ kind }: MessageSummary) =>
  MESSAGE_KINDS.find(({ value }) => value === kind)?.label ?? "Email";

function stateOf({ state, sentAt, nextAt, attempts }: MessageSummary) {
  if (state === "sent") return { tone: "ok", label: `Sent ${when(sentAt ?? "")}` } as const;
  if (state === "failed") return { tone: "bad", label: "Delivery failed" } as const;
  const label = attempts === 0 ? "Sending..." : `Waiting, next attempt ${when(nextAt)}`;
  return { tone: "warn", label } as const;
}
