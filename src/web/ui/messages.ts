/** What the dashboard says: toasts, and words read out to assistive technology. */
import { signal } from "@preact/signals-react";
import { CallFailed } from "../shared/api.ts";
import { showToast, type ToastRequest } from "./toast.ts";

/** The button of a toast, such as Undo. */
export type ToastAction = ToastRequest["action"];

/** Says that a write worked, perhaps with a way back. */
export function toastSuccess(description: string, action?: ToastAction): void {
  showToast({ title: "Success", description, ...(action ? { action } : {}) });
}

/** Says why a write failed: the server's words, else `fallback`. */
export function toastFailure(error: unknown, fallback: Failure): number {
  return toastError(failureWords(error, fallback));
}

/** Says that something can't be done. Returns the toast's id, for who can tell when its cause has gone. */
export function toastError(description: string): number {
  return showToast({ title: "Error", description, destructive: true });
}

/** What is said of a failure without words of the server's own; a function says it of any failure. */
export type Failure = string | ((error: unknown) => string);

/** The server's words, or `fallback` when it gave none or was not reached. */
export function failureWords(error: unknown, fallback: Failure): string {
  if (typeof fallback !== "string") return fallback(error);
  return error instanceof CallFailed && error.message !== "" ? error.message : fallback;
}

/** What the live region reads out to assistive technology: a moved row, say. */
export const announcement = signal("");

/** Reads `words` out politely. */
export function announce(words: string): void {
  // Screen readers repeat a message only when the text differs.
  announcement.value = announcement.value === words ? `${words}\u00a0` : words;
}
