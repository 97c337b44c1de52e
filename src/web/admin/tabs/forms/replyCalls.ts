/** Reads and sends replies to an enquiry. */
import type { ReplyThread } from "../../../../schema/api/mailResponses.ts";
import { fillPlaceholders } from "../../../words/placeholders.ts";
import { refetchPaths, createApiQuery, useApiQuery } from "../../data/apiQuery.ts";
import { getItemPath, writeToEntity } from "../../data/entityWrites.ts";
import { createUnsentForm } from "./progressCalls.ts";

const getRepliesPath = (submission: string) =>
  `${getItemPath("formSubmissions", submission)}/replies`;
const POLL_INTERVAL_MS = 3000;

export const useReplies = (submission: string) =>
  useApiQuery(
    createApiQuery<ReplyThread>(getRepliesPath(submission), {
      pollIntervalMs: ({ replies }) =>
        replies.some(({ state }) => state === "waiting") && POLL_INTERVAL_MS,
    }),
  );

/** `submission` is an id. `name` is the visitor's first name, which may be empty. */
export const createReplyForm = (submission: string, name: string) =>
  createUnsentForm(submission, "reply", name === "" ? "Reply" : `Reply to ${name}`);

/** Fills `{title}` in `sentence`. The subject names the form, since the visitor may have written weeks ago. */
export const formatReplySubject = (sentence: string, formTitle: string) =>
  formTitle.trim() === ""
    ? sentence.replace("{title}", "").replace(":", "").trim()
    : fillPlaceholders(sentence, { title: formTitle });

/** Sends a reply. The server also marks the enquiry as reviewed. Throws CallError with messages by field. */
export async function sendReply(
  submission: string,
  reply: { readonly subject: string; readonly text: string; readonly at?: readonly string[] },
): Promise<void> {
  const path = getRepliesPath(submission);
  await writeToEntity("formSubmissions", path, { method: "POST", body: reply });
  await refetchPaths(path);
}
