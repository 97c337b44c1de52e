/** Calls booked with the sender of an enquiry: moving and calling off. */
import { itemPath, withToast, write } from "./writes.ts";
import type { Submission } from "../../../schema/visitors.ts";
import { readAgain } from "./resource.ts";

const pathOf = (submission: string) => `${itemPath("formSubmissions", submission)}/call`;

/** Moves it to a time in the site's zone; the visitor is told. Throws CallFailed, with a message for `at`. */
export async function moveCall(submission: string, at: string): Promise<void> {
  const body = { at };
  await write<Submission>("formSubmissions", pathOf(submission), { method: "PUT", body });
  await readAgain(`${itemPath("formSubmissions", submission)}/replies`);
}

/** Calls it off; the visitor is told. A toast shows the result. */
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
