/** What people are told after a write: toasts, and what assistive technology reads out. */
import { signal } from "@preact/signals-react";
import { CallFailed } from "../../api.ts";
import { showToast, type ToastRequest } from "../../ui/toast.ts";

// Says to assistive technology what the eye sees: a moved row, a finished upload.

/** What the live region reads out. */
export const announcement = signal("");

/** Reads `words` out politely. */
export function announce(words: string): void {
  // The same words twice are read twice only when the text differs.
  announcement.value = announcement.value === words ? `${words}\u00a0` : words;
}

// The dashboard's toasts (spec section 8): "Success" or "Error" above the words.

/** Says that a write worked, perhaps with a way back. */
export function toastSuccess(description: string, action?: ToastRequest["action"]): void {
  showToast({ title: "Success", description, ...(action ? { action } : {}) });
}

/** Says why a write failed: the server's words, else `fallback`. */
export function toastFailure(error: unknown, fallback: string): void {
  toastError(failureWords(error, fallback));
}

/** Says that something can't be done. */
export function toastError(description: string): void {
  showToast({ title: "Error", description, destructive: true });
}

/** The server's words, or `fallback` when it gave none or was not reached (spec section 8). */
export function failureWords(error: unknown, fallback: string): string {
  return error instanceof CallFailed && error.message !== "" ? error.message : fallback;
}
