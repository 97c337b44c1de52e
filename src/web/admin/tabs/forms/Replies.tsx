/** An enquiry's replies with their status, and the form for the next. */
import type { ReplyTemplate } from "../../../../schema/people/mail.ts";
import type { ReplyThread } from "../../../../schema/api/mailResponses.ts";
import type { SuggestedTime } from "../../../../schema/enquiry/calls.ts";
import {
  LONGEST_REPLY,
  type StoredReply,
  type Submission,
} from "../../../../schema/enquiry/visitors.ts";
import { fill } from "../../../words/fill.ts";
import { Button } from "../../../ui/Button.tsx";
import { TextField } from "../../../ui/Field.tsx";
import { LongTextField } from "../../../ui/LongTextField.tsx";
import { Form, Submit, useForm } from "../../../ui/Form.tsx";
import { saveProgress } from "./enquiryProgress.ts";
import { replyDraft, sendReply, subjectOf } from "./replies.ts";
import { toastSuccess } from "../../../ui/messages.ts";
import { useUnsentForm } from "../../data/useUnsentForm.ts";
import { Badge } from "../../parts/Card.tsx";
import { useSheet } from "../../parts/useSheet.ts";
import { wallDateTime, when } from "../../../shared/when.ts";
import { NO_TIMES, SuggestTimes } from "./SuggestTimes.tsx";
import css from "./Replies.css" with { type: "text" };

/** `about` is the form's title, `name` the visitor's, which may be empty. */
export interface RepliesProps {
  readonly id: string;
  readonly thread: ReplyThread;
  readonly isWriting: boolean;
  readonly about: string;
  readonly name: string;
  /** The enquiry's stage before the reply. */
  readonly stage: Submission["stage"];
  readonly onDone: () => void;
}

export function Replies({ thread, isWriting, ...form }: RepliesProps) {
  useSheet(css);
  return (
    <div className="replies stack">
      {thread.replies.length > 0 && (
        <ol aria-label="Replies" className="stack gap-16">
          {thread.replies.map((reply) => (
            <li key={reply.id}>
              <p className="quiet">
                {reply.by} replied to {reply.to} · {when(reply.at)} <State of={reply} />
              </p>
              <strong dir="auto">{reply.subject}</strong>
              <p className="reply-text" dir="auto">
                {reply.text}
              </p>
              {reply.offers && <Suggested of={reply} offers={reply.offers} />}
              {reply.problem && reply.state !== "sent" && <p data-tone="bad">{reply.problem}</p>}
            </li>
          ))}
        </ol>
      )}
      {isWriting && <ReplyForm thread={thread} {...form} />}
    </div>
  );
}

function State({ of: { state } }: { readonly of: ReplyThread["replies"][number] }) {
  if (state === "sent") return <Badge tone="ok">Sent</Badge>;
  if (state === "waiting") return <Badge tone="warn">Sending</Badge>;
  if (state === "failed") return <Badge tone="bad">Not delivered</Badge>;
  return null;
}

interface SuggestedProps {
  readonly of: StoredReply;
  readonly offers: readonly SuggestedTime[];
}

/** A reply's suggested times, and their result. */
function Suggested({ of: { ended }, offers }: SuggestedProps) {
  const times = offers.map(({ at }) => wallDateTime(at));
  return (
    <p className="quiet">
      Suggested times: {times.join(" · ")}
      {ended !== undefined && ` (${ENDS[ended]})`}
    </p>
  );
}

const ENDS = { chosen: "accepted", declined: "declined", closed: "expired" } as const;

/** The parts of a reply's text. */
interface Wording {
  readonly greeting: string;
  readonly signature: string;
  readonly templates: readonly ReplyTemplate[];
}

const whole = (body: string, { greeting, signature }: Wording) =>
  `${greeting}${body}\n\n${signature}`;

/** Replaces an unchanged template; typed text remains, above the template. */
function fillTemplate(template: string, text: string, wording: Wording): string {
  const { signature, templates } = wording;
  const untouched = ["", ...templates.flatMap((each) => [each.text, each.withTimes ?? each.text])];
  if (untouched.some((body) => whole(body, wording).trim() === text.trim()))
    return whole(template, wording);
  const isSigned = text.trimEnd().endsWith(signature);
  const typed = isSigned ? text.trimEnd().slice(0, -signature.length) : text;
  return `${typed.trimEnd()}\n\n${template}${isSigned ? `\n\n${signature}` : ""}`;
}

const bodyOf = ({ text, withTimes = text }: ReplyTemplate, times: readonly string[]) =>
  times.length > 0 ? withTimes : text;

/** An unchanged template asks for times, or names the suggested ones. */
function fittingTimes(text: string, wording: Wording, times: readonly string[]): string {
  const isBody = (body: string | undefined) =>
    body !== undefined && whole(body, wording).trim() === text.trim();
  const used = wording.templates.find((each) => isBody(each.text) || isBody(each.withTimes));
  return used ? whole(bodyOf(used, times), wording) : text;
}

const IN_CONVERSATION = "Reply sent. Stage changed to In conversation.";

const intoInbox = (id: string) =>
  void saveProgress(id, { stage: "" }, { stage: "talking", remindOn: null });

function ReplyForm(props: ReplyFormProps) {
  const { thread } = props;
  const wording = wordingOf(props);
  const { form, cancel } = useReplyForm(props, wording);
  const { text, at } = form.values;
  const insert = (template: ReplyTemplate) =>
    form.set({ text: fillTemplate(bodyOf(template, at), text, wording) });
  return (
    <Form of={form} className="fields measure">
      <fieldset className="cluster" disabled={form.pending}>
        <legend className="visually-hidden">Insert template</legend>
        {thread.templates.map((template) => (
          <Button key={template.label} size="small" onClick={() => insert(template)}>
            {template.label}
          </Button>
        ))}
      </fieldset>
      <TextField name="subject" label="Subject" most={LONGEST_REPLY.subject} />
      <LongTextField
        name="text"
        label="Message"
        most={LONGEST_REPLY.text}
        hint="The visitor's answers are quoted below your text. Their reply arrives in your inbox."
        rows={8}
      />
      {thread.times && (
        <SuggestTimes
          form={{
            ...form,
            set: (change) =>
              form.set(
                change.at ? { ...change, text: fittingTimes(text, wording, change.at) } : change,
              ),
          }}
          times={thread.times}
        />
      )}
      <div className="cluster">
        <Submit pendingLabel="Sending...">Send reply</Submit>
        <Button variant="quiet" disabled={form.pending} onClick={cancel}>
          Cancel
        </Button>
      </div>
    </Form>
  );
}

type ReplyFormProps = Omit<RepliesProps, "isWriting">;

function wordingOf({ thread, name }: ReplyFormProps): Wording {
  const { signature, templates } = thread;
  const greeting = name === "" ? "" : `${fill(thread.greeting, { name })}\n\n`;
  return { signature, templates, greeting };
}

/** A reply being written, stored on this device until it is sent or canceled. */
function useReplyForm(
  { id, thread, about, name, stage, onDone }: ReplyFormProps,
  wording: Wording,
) {
  const reply = useUnsentForm(replyDraft(id, name), {
    subject: subjectOf(thread.subject, about),
    text: whole("", wording),
    ...NO_TIMES,
  });
  const form = useForm(reply, {
    save: async ({ subject, text, ...times }) => {
      await sendReply(id, { subject, text, ...(times.at.length > 0 && times) });
      reply.forget();
      if (stage === "")
        toastSuccess(IN_CONVERSATION, { label: "Undo", onPress: () => intoInbox(id) });
      onDone();
    },
    success: stage === "" ? undefined : "Reply sent",
    failure: "Couldn't send the reply. Try again.",
  });
  const cancel = () => {
    reply.forget();
    onDone();
  };
  return { form, cancel };
}
