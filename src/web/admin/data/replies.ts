/** What was written to who sent an enquiry. */
import type { ReplyThread } from "../../../schema/mailAnswers.ts";
import { readAgain, resource, useResource } from "./resource.ts";
import type { TypedPlace } from "./useTyped.ts";
import { itemPath, write } from "./writes.ts";

const pathOf = (submission: string) => `${itemPath("formSubmissions", submission)}/replies`;
/** While a reply is on its way it is looked at again, in milliseconds. */
const ASKED_EVERY = 3000;

/** The thread of an opened enquiry. */
export const useReplies = (submission: string) =>
  useResource(
    resource<ReplyThread>(pathOf(submission), {
      every: ({ replies }) => replies.some(({ state }) => state === "waiting") && ASKED_EVERY,
    }),
  );

/** Where the reply that is being written to an enquiry is kept; `name` is its sender's, or empty. */
export const replyPlace = (submission: string, name: string): TypedPlace => ({
  key: "formSubmissions",
  item: submission,
  part: "reply",
  name: name === "" ? "Reply" : `Reply to ${name}`,
});

/** What a reply is about, for whoever has written weeks ago. */
export const subjectOf = (formTitle: string) =>
  formTitle.trim() === "" ? "Your enquiry" : `Your enquiry: ${formTitle}`;

/** Sends a reply and marks the enquiry as reviewed. Throws CallFailed, with words by field. */
export async function sendReply(
  submission: string,
  reply: { readonly subject: string; readonly text: string; readonly at?: readonly string[] },
): Promise<void> {
  await write("formSubmissions", pathOf(submission), { method: "POST", body: reply });
  await readAgain(pathOf(submission));
}
