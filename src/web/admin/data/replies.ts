/** What was written to who sent an enquiry. */
import { useQuery } from "@tanstack/react-query";
import type { ReplyThread } from "../../../schema/mailAnswers.ts";
import { call } from "../../shared/api.ts";
import { queryClient, withSession } from "./client.ts";
import type { TypedPlace } from "./useTyped.ts";
import { itemPath, write } from "./writes.ts";

const keyOf = (submission: string) => ["replies", submission];
/** While a reply is on its way it is looked at again, in milliseconds. */
const ASKED_EVERY = 3000;

/** The thread of an opened enquiry. */
export function useReplies(submission: string) {
  return useQuery({
    queryKey: keyOf(submission),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.replies.some((reply) => reply.state === "waiting") ? ASKED_EVERY : false,
    queryFn: () =>
      withSession(() => call<ReplyThread>(`${itemPath("formSubmissions", submission)}/replies`)),
  });
}

/** Where the reply that is being written to an enquiry is kept; `name` is its sender's, or empty. */
export const replyPlace = (submission: string, name: string): TypedPlace => ({
  key: "formSubmissions",
  item: submission,
  part: "reply",
  name: name === "" ? "Reply" : `Reply to ${name}`,
});

/** Sends a reply and marks the enquiry as reviewed. Throws CallFailed, with words by field. */
export async function sendReply(
  submission: string,
  reply: { readonly subject: string; readonly text: string },
): Promise<void> {
  const path = `${itemPath("formSubmissions", submission)}/replies`;
  await write("formSubmissions", path, { method: "POST", body: reply });
  await queryClient.invalidateQueries({ queryKey: keyOf(submission) });
}
