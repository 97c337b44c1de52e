/** What was written back to an enquiry, with how it went, and the form for the next reply. */
import { type FormEvent, useState } from "react";
import type { ReplyThread } from "../../../../schema/mailAnswers.ts";
import { CallFailed } from "../../../shared/api.ts";
import { Button } from "../../../ui/Button.tsx";
import { toastFailure, toastSuccess } from "../../../ui/messages.ts";
import { replyPlace, sendReply } from "../../data/replies.ts";
import { usePending } from "../../data/usePending.ts";
import { useTyped } from "../../data/useTyped.ts";
import { Badge } from "../../parts/Card.tsx";
import { FieldFrame } from "../../parts/FieldFrame.tsx";
import { useSheet } from "../../parts/useSheet.ts";
import { when } from "../../parts/when.ts";
import css from "./Replies.css" with { type: "text" };

/** `about` is the form's title, `name` how the visitor is addressed; it may be empty. */
export interface RepliesProps {
  readonly id: string;
  readonly thread: ReplyThread;
  readonly isWriting: boolean;
  readonly about: string;
  readonly name: string;
  readonly onDone: () => void;
}

export function Replies({ thread, isWriting, ...form }: RepliesProps) {
  useSheet(css);
  return (
    <div className="replies">
      {thread.replies.length > 0 && (
        <ol aria-label="Replies">
          {thread.replies.map((reply) => (
            <li key={reply.id}>
              <p className="quiet">
                {reply.by} to {reply.to} · {when(reply.at)} <State of={reply} />
              </p>
              <strong dir="auto">{reply.subject}</strong>
              <p className="reply-text" dir="auto">
                {reply.text}
              </p>
              {reply.problem && reply.state !== "sent" && (
                <p className="reply-problem">{reply.problem}</p>
              )}
            </li>
          ))}
        </ol>
      )}
      {isWriting && <ReplyForm {...form} />}
    </div>
  );
}

function State({ of: { state } }: { readonly of: ReplyThread["replies"][number] }) {
  if (state === "sent") return <Badge tone="ok">Sent</Badge>;
  if (state === "waiting") return <Badge tone="warn">On its way</Badge>;
  if (state === "failed") return <Badge tone="bad">Not delivered</Badge>;
  return null;
}

/** To begin with; what is chosen can be changed. */
const TEMPLATES = [
  {
    label: "Can we talk?",
    text: "Thank you for writing to me. Can we talk on the phone for a quarter of an hour? Tell me two or three times that suit you.",
  },
  {
    label: "More soon",
    text: "Thank you for writing to me. I'm on the road at the moment, and will answer in full within a few days.",
  },
  {
    label: "Tell me more",
    text: "Thank you for writing to me. So that I can give you a good answer: what would you like to reach, by when, and what have you tried so far?",
  },
  {
    label: "Not this time",
    text: "Thank you for writing to me. I'm fully booked at that time and have to say no, which I'm sorry for. May I come back to you when something opens up?",
  },
] as const;

/** Another template takes the place of the one before; what was typed stays, and the template comes below it. */
function begunWith(template: string, text: string, greeting: string): string {
  const whole = (words: string) => `${greeting}${words}\n\nBest wishes`;
  const isUntouched =
    text.trim() === greeting.trim() || TEMPLATES.some((each) => whole(each.text) === text);
  return isUntouched ? whole(template) : `${text.trimEnd()}\n\n${template}`;
}

type ReplyFormProps = Omit<RepliesProps, "thread" | "isWriting">;

function ReplyForm({ id, about, name, onDone }: ReplyFormProps) {
  const greeting = name === "" ? "" : `Dear ${name},\n\n`;
  const reply = useTyped(replyPlace(id, name), { subject: `Re: ${about}`, text: greeting });
  const { subject, text } = reply.values;
  const [wrong, setWrong] = useState<{ readonly subject?: string; readonly text?: string }>({});
  const [pending, run] = usePending();
  const send = async () => {
    setWrong({});
    try {
      await sendReply(id, { subject, text });
      reply.forget();
      toastSuccess("Your reply is on its way");
      onDone();
    } catch (error) {
      setWrong((error instanceof CallFailed && error.body.fields) || {});
      toastFailure(error, "The reply couldn't be sent. Try again.");
    }
  };
  return (
    <form
      className="fields"
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void run(send);
      }}
    >
      <fieldset className="reply-templates">
        <legend className="ui-hidden">Begin with</legend>
        {TEMPLATES.map((template) => (
          <Button
            key={template.label}
            size="small"
            disabled={pending}
            onClick={() => reply.set({ text: begunWith(template.text, text, greeting) })}
          >
            {template.label}
          </Button>
        ))}
      </fieldset>
      <FieldFrame id={`${id}-subject`} label="Subject" error={wrong.subject}>
        <input
          id={`${id}-subject`}
          value={subject}
          disabled={pending}
          maxLength={200}
          aria-invalid={wrong.subject !== undefined || undefined}
          aria-describedby={`${id}-subject-note`}
          onChange={({ target }) => reply.set({ subject: target.value })}
        />
      </FieldFrame>
      <FieldFrame
        id={`${id}-text`}
        label="Message"
        error={wrong.text}
        hint="What the visitor wrote goes below it. An answer comes to your mailbox."
      >
        <textarea
          id={`${id}-text`}
          rows={8}
          dir="auto"
          value={text}
          disabled={pending}
          maxLength={10_000}
          aria-invalid={wrong.text !== undefined || undefined}
          aria-describedby={`${id}-text-note`}
          onChange={({ target }) => reply.set({ text: target.value })}
        />
      </FieldFrame>
      <div className="reply-actions">
        <Button variant="primary" type="submit" pending={pending}>
          {pending ? "Sending..." : "Send reply"}
        </Button>
        <Button
          variant="quiet"
          disabled={pending}
          onClick={() => {
            reply.forget();
            onDone();
          }}
        >
          Cancel
        </Button>
      </div>
    </form>
  );
}
