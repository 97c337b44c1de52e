/** An enquiry's replies with their status, and the form for a new reply. */
import type { ReplyTemplate } from "../../../../schema/people/mail.ts";
import type { ReplyThread } from "../../../../schema/api/mailResponses.ts";
import type { SuggestedTime } from "../../../../schema/enquiry/calls.ts";
import {
  MAX_REPLY_LENGTHS,
  type StoredReply,
  type Submission,
} from "../../../../schema/enquiry/visitors.ts";
import { fillPlaceholders } from "../../../words/placeholders.ts";
import { Button } from "../../../ui/Button.tsx";
import { TextField } from "../../../ui/Field.tsx";
import { LongTextField } from "../../../ui/LongTextField.tsx";
import { Form, SubmitButton, useForm } from "../../../ui/Form.tsx";
import { saveProgress } from "./progressCalls.ts";
import { createReplyForm, sendReply, formatReplySubject } from "./replyCalls.ts";
import { toastSuccess } from "../../../ui/messages.ts";
import { useUnsentForm } from "../../data/useUnsentForm.ts";
import { Badge } from "../../parts/Card.tsx";
import { useStylesheet } from "../../parts/useStylesheet.ts";
import { formatLocalDateTime, formatRelativeDateTime } from "../../../shared/formatTimes.ts";
import { EMPTY_SUGGESTION, TimeSuggestions } from "./SuggestTimes.tsx";
import css from "./Replies.css" with { type: "text" };

/** `name` is the visitor's first name, which may be empty. */
export interface RepliesProps {
  readonly id: string;
  readonly thread: ReplyThread;
  readonly isWriting: boolean;
  readonly formTitle: string;
  readonly name: string;
  /** The enquiry's stage before the reply is sent. */
  readonly stage: Submission["stage"];
  readonly onDone: () => void;
}

export function ReplyList({ thread, isWriting, ...form }: RepliesProps) {
  useStylesheet(css);
  return (
    <div className="replies stack">
      {thread.replies.length > 0 && (
        <ol aria-label="Replies" className="stack gap-16">
          {thread.replies.map((reply) => (
            <li key={reply.id}>
              <p className="quiet">
                {reply.by} replied to {reply.to} · {formatRelativeDateTime(reply.at)}{" "}
                <ReplyState reply={reply} />
              </p>
              <strong dir="auto">{reply.subject}</strong>
              <p className="reply-text" dir="auto">
                {reply.text}
              </p>
              {reply.offers && <SuggestedTimesList reply={reply} offers={reply.offers} />}
              {reply.problem && reply.state !== "sent" && <p data-tone="bad">{reply.problem}</p>}
            </li>
          ))}
        </ol>
      )}
      {isWriting && <ReplyForm thread={thread} {...form} />}
    </div>
  );
}

function ReplyState({ reply: { state } }: { readonly reply: ReplyThread["replies"][number] }) {
  if (state === "sent") return <Badge tone="ok">Sent</Badge>;
  if (state === "waiting") return <Badge tone="warn">Sending</Badge>;
  if (state === "failed") return <Badge tone="bad">Not delivered</Badge>;
  return null;
}

interface SuggestedTimesListProps {
  readonly reply: StoredReply;
  readonly offers: readonly SuggestedTime[];
}

function SuggestedTimesList({ reply: { ended }, offers }: SuggestedTimesListProps) {
  const times = offers.map(({ at }) => formatLocalDateTime(at));
  return (
    <p className="quiet">
      Suggested times: {times.join(" · ")}
      {ended !== undefined && ` (${RESULT_LABELS[ended]})`}
    </p>
  );
}

const RESULT_LABELS = { chosen: "accepted", declined: "declined", closed: "expired" } as const;

interface ReplyWording {
  readonly greeting: string;
  readonly signature: string;
  readonly templates: readonly ReplyTemplate[];
}

const composeText = (body: string, { greeting, signature }: ReplyWording) =>
  `${greeting}${body}\n\n${signature}`;

const getBodies = ({ text, withTimes = text }: ReplyTemplate) => [text, withTimes];

/** Whether a reply's text is only the greeting, `body` and the signature. */
const hasBody = (text: string, body: string, wording: ReplyWording) =>
  composeText(body, wording).trim() === text.trim();

/** Replaces an unedited text by the template, or adds the template below an edited text. */
function fillTemplate(template: string, text: string, wording: ReplyWording): string {
  const { signature, templates } = wording;
  if (["", ...templates.flatMap(getBodies)].some((body) => hasBody(text, body, wording)))
    return composeText(template, wording);
  const isSigned = text.trimEnd().endsWith(signature);
  const unsignedText = isSigned ? text.trimEnd().slice(0, -signature.length) : text;
  return `${unsignedText.trimEnd()}\n\n${template}${isSigned ? `\n\n${signature}` : ""}`;
}

const chooseTemplateText = ({ text, withTimes = text }: ReplyTemplate, times: readonly string[]) =>
  times.length > 0 ? withTimes : text;

/** If the text is an unedited template, switches to the template's wording with or without times. */
function adaptTemplateToTimes(
  text: string,
  wording: ReplyWording,
  times: readonly string[],
): string {
  const currentTemplate = wording.templates.find((each) =>
    getBodies(each).some((body) => hasBody(text, body, wording)),
  );
  return currentTemplate ? composeText(chooseTemplateText(currentTemplate, times), wording) : text;
}

const STAGE_CHANGED_MESSAGE = "Reply sent. Stage changed to In conversation.";

const undoStageChange = (id: string) =>
  void saveProgress(id, { stage: "" }, { stage: "talking", remindOn: null });

function ReplyForm(props: ReplyFormProps) {
  const { thread } = props;
  const wording = createWording(props);
  const { form, cancel } = useReplyForm(props, wording);
  const { text, at } = form.values;
  const insertTemplate = (template: ReplyTemplate) =>
    form.setValues({ text: fillTemplate(chooseTemplateText(template, at), text, wording) });
  return (
    <Form form={form} className="fields measure">
      <fieldset className="cluster" disabled={form.isPending}>
        <legend className="visually-hidden">Insert template</legend>
        {thread.templates.map((template) => (
          <Button key={template.label} size="small" onClick={() => insertTemplate(template)}>
            {template.label}
          </Button>
        ))}
      </fieldset>
      <TextField name="subject" label="Subject" maxCharacters={MAX_REPLY_LENGTHS.subject} />
      <LongTextField
        name="text"
        label="Message"
        maxCharacters={MAX_REPLY_LENGTHS.text}
        hint="The visitor's answers are quoted below your text. Their reply arrives in your inbox."
        rows={8}
      />
      {thread.times && (
        <TimeSuggestions
          form={{
            ...form,
            setValues: (change) =>
              form.setValues(
                change.at
                  ? { ...change, text: adaptTemplateToTimes(text, wording, change.at) }
                  : change,
              ),
          }}
          times={thread.times}
        />
      )}
      <div className="cluster">
        <SubmitButton pendingLabel="Sending...">Send reply</SubmitButton>
        <Button variant="quiet" disabled={form.isPending} onClick={cancel}>
          Cancel
        </Button>
      </div>
    </Form>
  );
}

type ReplyFormProps = Omit<RepliesProps, "isWriting">;

function createWording({ thread, name }: ReplyFormProps): ReplyWording {
  const { signature, templates } = thread;
  const greeting = name === "" ? "" : `${fillPlaceholders(thread.greeting, { name })}\n\n`;
  return { signature, templates, greeting };
}

/** Returns a reply's form. The input is stored on this device until the reply is sent or canceled. */
function useReplyForm(
  { id, thread, formTitle, name, stage, onDone }: ReplyFormProps,
  wording: ReplyWording,
) {
  const unsentReply = useUnsentForm(createReplyForm(id, name), {
    subject: formatReplySubject(thread.subject, formTitle),
    text: composeText("", wording),
    ...EMPTY_SUGGESTION,
  });
  const form = useForm(unsentReply, {
    save: async ({ subject, text, ...times }) => {
      await sendReply(id, { subject, text, ...(times.at.length > 0 && times) });
      unsentReply.discard();
      if (stage === "")
        toastSuccess(STAGE_CHANGED_MESSAGE, { label: "Undo", onPress: () => undoStageChange(id) });
      onDone();
    },
    success: stage === "" ? undefined : "Reply sent",
    failure: "Couldn't send the reply. Try again.",
  });
  const cancel = () => {
    unsentReply.discard();
    onDone();
  };
  return { form, cancel };
}
