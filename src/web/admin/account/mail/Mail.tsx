/** The Email settings: problems, the mail account, tests, notifications, and sent messages. */
import { Row, Rows } from "../../../ui/Row.tsx";
import MailIcon from "lucide-react/icons/mail";
import RotateCw from "lucide-react/icons/rotate-cw";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import { MESSAGE_KINDS, NOTIFICATION_FREQUENCIES } from "../../../../schema/people/mail.ts";
import type {
  MailState,
  MessageSummary,
  DomainRecord,
} from "../../../../schema/api/mailResponses.ts";
import { Button } from "../../../ui/Button.tsx";
import { TextField } from "../../../ui/Field.tsx";
import { Form, SubmitButton, useForm, useFormValues } from "../../../ui/Form.tsx";
import { useAction } from "../../../ui/useAction.ts";
import {
  MAIL_SAVE_MESSAGES,
  retryMessage,
  saveMail,
  useMail,
  checkDomain,
  useDomainRecords,
} from "./mail.ts";
import { Callout } from "../../parts/Callout.tsx";
import { Badge, Card } from "../../parts/Card.tsx";
import { RadioField } from "../../parts/ChoiceFields.tsx";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { useStylesheet } from "../../parts/useStylesheet.ts";
import {
  formatRelativeDateTime,
  formatRelativeDateTimeInSentence,
} from "../../../shared/formatTimes.ts";
import { AsyncContent } from "../../../ui/AsyncContent.tsx";
import css from "./Mail.css" with { type: "text" };
import { DevicesCard } from "./Devices.tsx";
import { MailSetup } from "./MailSetup.tsx";
import { MailTests } from "./MailTests.tsx";
import { ReplySettings } from "./ReplySettings.tsx";
import { WebhookCard } from "./Webhook.tsx";
import CircleCheck from "lucide-react/icons/circle-check";
import { toastFailure } from "../../../ui/messages.ts";
import { CopyButton } from "../../../ui/CopyButton.tsx";

export function MailPage() {
  useStylesheet(css);
  return (
    <AsyncContent
      state={useMail()}
      subject="the email settings"
      loadingMessage="Loading email settings..."
    >
      {(state) => (
        <>
          <DeliveryProblems state={state} />
          <MailSetup key={state.isSetUp ? "set" : "new"} state={state} />
          {state.isSetUp && <MailTests state={state} />}
          <NotificationSettings state={state} />
          <ReplySettings state={state} />
          <DevicesCard />
          <WebhookCard webhook={state.webhook} />
          {state.isSetUp && <MailDomain address={state.fromAddress} />}
          <MessageList messages={state.messages} />
        </>
      )}
    </AsyncContent>
  );
}

function DeliveryProblems({ state }: { state: MailState }) {
  const undelivered = state.messages.filter((each) => each.needsAttention);
  const [isPending, retryAll] = useAction(
    async () => {
      for (const { id } of undelivered) await retryMessage(id); // oxlint-disable-line no-await-in-loop -- at the pace of the server
    },
    { failure: "Couldn't resend these emails" },
  );
  const [first] = undelivered;
  const count = state.waiting + state.failed;
  if (count === 0) return null;
  return (
    <Callout
      tone="warn"
      label="There's a problem with email"
      action={
        first && (
          <Button isPending={isPending} onClick={retryAll}>
            Retry
          </Button>
        )
      }
    >
      <strong>
        {count === 1 ? "One email needs attention" : `${count} emails need attention`}
      </strong>
      {first && (
        <p className="small">
          {first.subject}. {first.problem}
        </p>
      )}
    </Callout>
  );
}

function NotificationSettings({ state }: { state: MailState }) {
  const [isPending, setFrequency] = useAction(
    (notify: MailState["notify"]) => saveMail({ notify }),
    MAIL_SAVE_MESSAGES,
  );
  return (
    <Card title="New submissions" note={`to ${state.notifyTo ?? state.owners.join(", ")}`}>
      {!state.isSetUp && (
        <p className="quiet">
          New submissions appear in the dashboard, under Forms. To get them by email too, set up
          email above.
        </p>
      )}
      <RadioField
        state={{
          value: state.notify,
          setValue: setFrequency,
          isPending: isPending || !state.isSetUp,
        }}
        label="Email me about new submissions"
        options={NOTIFICATION_FREQUENCIES}
        className="gap-16 cluster"
        legendClass="visually-hidden"
      />
      {state.isSetUp && <NotificationAddress key={state.notifyTo} state={state} />}
    </Card>
  );
}

function NotificationAddress({ state }: { state: MailState }) {
  const form = useForm(useFormValues({ notifyTo: state.notifyTo ?? "" }), {
    save: ({ notifyTo }) => saveMail({ notifyTo: notifyTo.trim() === "" ? null : notifyTo }),
    ...MAIL_SAVE_MESSAGES,
  });
  return (
    <Form form={form} className="stack gap-16 mail-to mt-12">
      <TextField
        name="notifyTo"
        label="Send notifications to"
        hint={`Alerts about backups, disk space and certificates are sent to this address too. Leave empty to use ${state.owners.join(", ")}.`}
        type="email"
        autoComplete="email"
      />
      <SubmitButton variant="neutral" pendingLabel="Saving...">
        Save address
      </SubmitButton>
    </Form>
  );
}

function MessageList({ messages }: { messages: readonly MessageSummary[] }) {
  return (
    <Card title="Sent messages" note="newest first" isFlush>
      {messages.length === 0 ? (
        <EmptyState icon={MailIcon} title="Nothing sent yet">
          Messages from your site appear here with their status.
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
  const [isPending, retry] = useAction(() => retryMessage(message.id), {
    failure: "Couldn't resend this email",
  });
  const { tone, label } = describeState(message);
  return (
    <Row
      title={message.subject}
      note={`${getKindLabel(message)} to ${message.to} · ${formatRelativeDateTime(message.createdAt ?? "")}`}
      details={
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
          isUnavailable={isPending}
          onClick={retry}
        />
      )}
    </Row>
  );
}

const getKindLabel = ({ kind }: MessageSummary) =>
  MESSAGE_KINDS.find(({ value }) => value === kind)?.label ?? "Email";

function describeState({ state, sentAt, nextAt, attempts }: MessageSummary) {
  if (state === "sent")
    return { tone: "ok", label: `Sent ${formatRelativeDateTimeInSentence(sentAt ?? "")}` } as const;
  if (state === "failed") return { tone: "bad", label: "Delivery failed" } as const;
  const label =
    attempts === 0
      ? "Sending..."
      : `Waiting. Next attempt: ${formatRelativeDateTimeInSentence(nextAt)}`;
  return { tone: "warn", label } as const;
}

function MailDomain({ address }: { address: string }) {
  const domain = address.split("@")[1] ?? "";
  const domainQuery = useDomainRecords();
  return (
    <Card
      title="Your domain"
      note={domain}
      isFlush
      actions={
        <Button size="small" isPending={domainQuery.isFetching} onClick={recheckDomain}>
          <RotateCw size={16} aria-hidden="true" /> Check again
        </Button>
      }
    >
      <p className="pad quiet small">
        These three DNS records prove that email from {domain} is really from you. Add each one
        where you bought the domain. Changes can take up to an hour to take effect.
      </p>
      <AsyncContent
        state={domainQuery}
        subject="your domain's records"
        loadingMessage="Checking DNS records..."
        rows={3}
      >
        {(records) => records.map((record) => <RecordRow key={record.name} record={record} />)}
      </AsyncContent>
    </Card>
  );
}

const recheckDomain = () =>
  void checkDomain().catch((error: unknown) =>
    toastFailure(error, "Couldn't check the records. Check your connection and try again."),
  );

const STATE_LABELS: Readonly<Record<DomainRecord["state"], string>> = {
  found: "Found",
  missing: "Not found yet",
  different: "Doesn't match",
  unknown: "Check this yourself",
};

function RecordRow({ record }: { record: DomainRecord }) {
  const { name, what, state, host, value, advice } = record;
  const isPresent = state === "found";
  const Icon = isPresent ? CircleCheck : TriangleAlert;
  return (
    <section className="mail-record pad split border-top" aria-label={name}>
      <h4>{name}</h4>
      <div className="stack gap-4">
        <p>
          <Icon size={16} data-tone={isPresent ? "ok" : "warn"} aria-hidden="true" />{" "}
          {STATE_LABELS[state]}
          <span className="quiet small"> · {what}</span>
        </p>
        {!isPresent && <p className="quiet small">{advice}</p>}
        {!isPresent && value !== null && (
          <>
            <CopyButton subject={`${name} name`} text={host} />
            <CopyButton subject={`${name} value`} text={value} />
          </>
        )}
      </div>
    </section>
  );
}
