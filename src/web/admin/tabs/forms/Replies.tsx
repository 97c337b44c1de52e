/** What was written back to an enquiry, with how it went, and the form for the next reply. */
import type { ReplyThread } from "../../../../schema/mailAnswers.ts";
import { Button } from "../../../ui/Button.tsx";
import { Field, Form, Submit, TextField, useForm } from "../../../ui/Form.tsx";
import { replyPlace, sendReply } from "../../data/replies.ts";
import { useTyped } from "../../data/useTyped.ts";
import { Badge } from "../../parts/Card.tsx";
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
  const { text } = reply.values;
  const form = useForm(reply, {
    save: async (typed) => {
      await sendReply(id, typed);
      reply.forget();
      onDone();
    },
    success: "Your reply is on its way",
    failure: "The reply couldn't be sent. Try again.",
  });
  return (
    <Form of={form}>
      <fieldset className="reply-templates">
        <legend className="ui-hidden">Begin with</legend>
        {TEMPLATES.map((template) => (
          <Button
            key={template.label}
            size="small"
            disabled={form.pending}
            onClick={() => form.set({ text: begunWith(template.text, text, greeting) })}
          >
            {template.label}
          </Button>
        ))}
      </fieldset>
      <TextField name="subject" label="Subject" maxLength={200} />
      <Field
        name="text"
        label="Message"
        hint="What the visitor wrote goes below it. An answer comes to your mailbox."
      >
        {(control, change) => (
          <textarea
            {...control}
            rows={8}
            dir="auto"
            maxLength={10_000}
            onChange={({ target }) => change(target.value)}
          />
        )}
      </Field>
      <div className="reply-actions">
        <Submit words="Sending...">Send reply</Submit>
        <Button
          variant="quiet"
          disabled={form.pending}
          onClick={() => {
            reply.forget();
            onDone();
          }}
        >
          Cancel
        </Button>
      </div>
    </Form>
  );
}
