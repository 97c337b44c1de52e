/** The call that was agreed on with who has sent an enquiry: moved to another time, or called off. */
import { itemPath, withToast, write } from "./writes.ts";
import type { Submission } from "../../../schema/visitors.ts";
import { readAgain } from "./resource.ts";

const pathOf = (submission: string) => `${itemPath("formSubmissions", submission)}/call`;

/** Moves it to a time of the site's zone, which is told to the visitor. Throws CallFailed, with words at `at`. */
export async function moveCall(submission: string, at: string): Promise<void> {
  const body = { at };
  await write<Submission>("formSubmissions", pathOf(submission), { method: "PUT", body });
  await readAgain(`${itemPath("formSubmissions", submission)}/replies`);
}

/** Calls it off, which is told to the visitor. Returns whether it did. */
export async function cancelCall(submission: string): Promise<void> {
  await withToast(CANCELLED, () =>
    write<Submission>("formSubmissions", pathOf(submission), { method: "DELETE" }),
  );
  await readAgain(`${itemPath("formSubmissions", submission)}/replies`);
}

const CANCELLED = {
  success: "The call is off, and they are told",
  failure: "The call couldn't be called off. Try again.",
};
