/** The site's mail: what needs a look, the account it is sent by, a test of it, what is sent, and what was. */
import MailIcon from "lucide-react/icons/mail";
import RotateCw from "lucide-react/icons/rotate-cw";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import { useState } from "react";
import { MESSAGE_KINDS, NOTIFY } from "../../../schema/mail.ts";
import type { MailState, ToldMessage } from "../../../schema/mailAnswers.ts";
import { CallFailed } from "../../shared/api.ts";
import { Button } from "../../ui/Button.tsx";
import { retryMessage, saveMail, useMail } from "../data/mail.ts";
import { toastFailure, toastSuccess } from "../../ui/messages.ts";
import { usePending } from "../data/usePending.ts";
import { FieldFrame } from "../parts/FieldFrame.tsx";
import { Badge, Card } from "../parts/Card.tsx";
import { EmptyState } from "../parts/EmptyState.tsx";
import { IconButton } from "../parts/IconButton.tsx";
import { useSheet } from "../parts/useSheet.ts";
import { when } from "../parts/when.ts";
import { Read } from "../../ui/Read.tsx";
import css from "./Mail.css" with { type: "text" };
import { Devices } from "./Devices.tsx";
import { MailDomain } from "./MailDomain.tsx";
import { MailSetup } from "./MailSetup.tsx";
import { MailTests } from "./MailTests.tsx";
import { WebhookCard } from "./Webhook.tsx";

export function Mail() {
  useSheet(css);
  return (
    <Read of={useMail()} what="the mail" words="Loading mail...">
      {(state) => (
        <>
          <Troubles state={state} />
          <MailSetup key={state.isSetUp ? "set" : "new"} state={state} />
          {state.isSetUp && <MailTests state={state} />}
          <WhatIsSent state={state} />
          <Devices />
          <WebhookCard webhook={state.webhook} />
          {state.isSetUp && <MailDomain address={state.fromAddress} />}
          <Messages messages={state.messages} />
        </>
      )}
    </Read>
  );
}

/** What waits for too long and what was not delivered, with the one thing to do. */
function Troubles({ state }: { state: MailState }) {
  const [pending, run] = usePending();
  const stuck = state.messages.filter(
    (each) => each.state === "failed" || (each.state === "waiting" && each.attempts > 0),
  );
  if (state.waiting + state.failed === 0) return null;
  const [first] = stuck;
  const count = state.waiting + state.failed;
  const retryAll = async () => {
    try {
      for (const { id } of stuck) await retryMessage(id); // oxlint-disable-line no-await-in-loop -- at the pace of the server
    } catch (error) {
      toastFailure(error, "Failed to try again");
    }
  };
  return (
    <section className="mail-trouble" aria-label="Mail needs a look">
      <TriangleAlert size={20} aria-hidden="true" />
      <div>
        <strong>
          {count === 1 ? "One message needs a look" : `${count} messages need a look`}
        </strong>
        {first && (
          <p>
            {first.subject}. {first.problem}
          </p>
        )}
      </div>
      <Button pending={pending} onClick={() => void run(retryAll)}>
        Try again
      </Button>
    </section>
  );
}

/** When the owner hears of an enquiry. */
function WhatIsSent({ state }: { state: MailState }) {
  const [pending, run] = usePending();
  return (
    <Card title="New enquiries" note={`to ${state.notifyTo ?? state.owners.join(", ")}`}>
      {!state.isSetUp && (
        <p className="quiet">
          Without mail they wait in the dashboard, under Forms. Set it up above to be told.
        </p>
      )}
      <fieldset className="mail-notify" disabled={pending || !state.isSetUp}>
        <legend className="ui-hidden">Tell me of new enquiries</legend>
        {NOTIFY.map(({ value, label }) => (
          <label key={value}>
            <input
              type="radio"
              name="notify"
              checked={state.notify === value}
              onChange={() => void run(() => notifyBy(value))}
            />
            {label}
          </label>
        ))}
      </fieldset>
      {state.isSetUp && <NotifyTo key={state.notifyTo} state={state} />}
    </Card>
  );
}

/** Where enquiries and notices go instead of to the owners. */
function NotifyTo({ state }: { state: MailState }) {
  const [address, setAddress] = useState(state.notifyTo ?? "");
  const [wrong, setWrong] = useState<string>();
  const [pending, run] = usePending();
  const save = async () => {
    setWrong(undefined);
    try {
      await saveMail({ notifyTo: address.trim() === "" ? null : address });
      toastSuccess("Mail saved successfully");
    } catch (error) {
      const words = error instanceof CallFailed ? error.body.fields?.["notifyTo"] : undefined;
      if (words === undefined) toastFailure(error, "Failed to save mail");
      setWrong(words);
    }
  };
  return (
    <form
      className="fields mail-to"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void run(save);
      }}
    >
      <FieldFrame
        id="notify-to"
        label="Send them to"
        error={wrong}
        hint={`Notices about backups, the disk and the certificate go there too. Empty: ${state.owners.join(", ")}.`}
      >
        <input
          id="notify-to"
          type="email"
          autoComplete="email"
          value={address}
          disabled={pending}
          aria-invalid={wrong !== undefined || undefined}
          aria-describedby="notify-to-note"
          onChange={({ target }) => setAddress(target.value)}
        />
      </FieldFrame>
      <Button type="submit" pending={pending}>
        {pending ? "Saving..." : "Save address"}
      </Button>
    </form>
  );
}

async function notifyBy(notify: MailState["notify"]): Promise<void> {
  try {
    await saveMail({ notify });
    toastSuccess("Mail saved successfully");
  } catch (error) {
    toastFailure(error, "Failed to save mail");
  }
}

/** To whom, what, when, and how it went. */
function Messages({ messages }: { messages: readonly ToldMessage[] }) {
  return (
    <Card title="Messages" note="the newest" flush>
      {messages.length === 0 ? (
        <EmptyState icon={MailIcon} title="Nothing was sent yet">
          Messages of the site are listed here, with how they went.
        </EmptyState>
      ) : (
        <ul className="mail-messages">
          {messages.map((message) => (
            <MessageRow key={message.id} message={message} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function MessageRow({ message }: { message: ToldMessage }) {
  const [pending, run] = usePending();
  const retry = async () => {
    try {
      await retryMessage(message.id);
    } catch (error) {
      toastFailure(error, "Failed to try again");
    }
  };
  const { tone, words } = stateOf(message);
  return (
    <li>
      <div>
        <strong dir="auto">{message.subject}</strong>
        <span className="quiet">
          {kindOf(message)} to {message.to} · {when(message.createdAt ?? "")}
        </span>
        {message.problem && <span className="mail-problem">{message.problem}</span>}
        {message.said && <span className="quiet">“{message.said}”</span>}
      </div>
      <Badge tone={tone}>{words}</Badge>
      {message.state !== "sent" && message.state !== "declined" && (
        <IconButton
          label={`Try ${message.subject} again`}
          icon={RotateCw}
          off={pending}
          onClick={() => void run(retry)}
        />
      )}
    </li>
  );
}

const kindOf = ({ kind }: ToldMessage) =>
  MESSAGE_KINDS.find(({ value }) => value === kind)?.label ?? "Message";

function stateOf({ state, sentAt, nextAt, attempts }: ToldMessage) {
  if (state === "sent") return { tone: "ok", words: `Sent ${when(sentAt ?? "")}` } as const;
  if (state === "failed") return { tone: "bad", words: "Not delivered" } as const;
  if (state === "declined") return { tone: "neutral", words: "Not sent" } as const;
  const words = attempts === 0 ? "Sending ..." : `Waiting, next try ${when(nextAt)}`;
  return { tone: "warn", words } as const;
}
