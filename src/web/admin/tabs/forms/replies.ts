/** Replies to the sender of an enquiry. */
import type { ReplyThread } from "../../../../schema/api/mailResponses.ts";
import { fillPlaceholders } from "../../../words/fill.ts";
import { refetchPaths, createResource, useResource } from "../../data/resource.ts";
import type { UnsentForm } from "../../data/useUnsentForm.ts";
import { itemPath, writeToEntity } from "../../data/writes.ts";

const repliesPath = (submission: string) => `${itemPath("formSubmissions", submission)}/replies`;
/** The interval at which a reply being sent is read again, in milliseconds. */
const POLL_INTERVAL_MS = 3000;

/** The thread of an open enquiry. */
export const useReplies = (submission: string) =>
  useResource(
    createResource<ReplyThread>(repliesPath(submission), {
      pollIntervalMs: ({ replies }) =>
        replies.some(({ state }) => state === "waiting") && POLL_INTERVAL_MS,
    }),
  );

/** The storage of an enquiry's reply draft; `name` is its sender's, or empty. */
export const createReplyDraft = (submission: string, name: string): UnsentForm => ({
  key: "formSubmissions",
  item: submission,
  part: "reply",
  name: name === "" ? "Reply" : `Reply to ${name}`,
});

/** The subject of a reply, for visitors who wrote weeks before; `sentence` has the form's `{title}`. */
export const formatReplySubject = (sentence: string, formTitle: string) =>
  formTitle.trim() === ""
    ? sentence.replace("{title}", "").replace(":", "").trim()
    : fillPlaceholders(sentence, { title: formTitle });

/** Sends a reply and marks the enquiry as reviewed. Throws CallError, with messages by field. */
export async function sendReply(
  submission: string,
  reply: { readonly subject: string; readonly text: string; readonly at?: readonly string[] },
): Promise<void> {
  await writeToEntity("formSubmissions", repliesPath(submission), { method: "POST", body: reply });
  await refetchPaths(repliesPath(submission));
}
