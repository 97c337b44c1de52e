/** Replies to the sender of an enquiry. */
import type { ReplyThread } from "../../../../schema/api/mailResponses.ts";
import { fill } from "../../../words/fill.ts";
import { refetch, resource, useResource } from "../../data/resource.ts";
import type { TypedForm } from "../../data/useUnsentForm.ts";
import { itemPath, write } from "../../data/writes.ts";

const pathOf = (submission: string) => `${itemPath("formSubmissions", submission)}/replies`;
/** The interval at which a reply being sent is read again, in milliseconds. */
const POLL_INTERVAL_MS = 3000;

/** The thread of an open enquiry. */
export const useReplies = (submission: string) =>
  useResource(
    resource<ReplyThread>(pathOf(submission), {
      every: ({ replies }) => replies.some(({ state }) => state === "waiting") && POLL_INTERVAL_MS,
    }),
  );

/** The storage of an enquiry's reply draft; `name` is its sender's, or empty. */
export const replyDraft = (submission: string, name: string): TypedForm => ({
  key: "formSubmissions",
  item: submission,
  part: "reply",
  name: name === "" ? "Reply" : `Reply to ${name}`,
});

/** The subject of a reply, for visitors who wrote weeks before; `sentence` has the form's `{title}`. */
export const subjectOf = (sentence: string, formTitle: string) =>
  formTitle.trim() === ""
    ? sentence.replace("{title}", "").replace(":", "").trim()
    : fill(sentence, { title: formTitle });

/** Sends a reply and marks the enquiry as reviewed. Throws CallFailed, with messages by field. */
export async function sendReply(
  submission: string,
  reply: { readonly subject: string; readonly text: string; readonly at?: readonly string[] },
): Promise<void> {
  await write("formSubmissions", pathOf(submission), { method: "POST", body: reply });
  await refetch(pathOf(submission));
}
