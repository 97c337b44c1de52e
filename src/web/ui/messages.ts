/** The dashboard's messages: toasts, and announcements to assistive technology. */
import { signal } from "@preact/signals-react";
import { CallError } from "../shared/api.ts";
import { showToast, type ToastRequest } from "./toast.ts";
import { useSignalValue } from "./useSignalValue.ts";

/** A toast's button, such as Undo. */
export type ToastAction = ToastRequest["action"];

/** Reports a successful write, optionally with an undo. */
export function toastSuccess(description: string, action?: ToastAction): void {
  showToast({ title: "Success", description, ...(action ? { action } : {}) });
}

/** Reports a failed write: the server's message, else `fallback`. */
export function toastFailure(error: unknown, fallback: FailureMessage): number {
  return toastError(getFailureMessage(error, fallback));
}

/** Reports an error. Returns the toast's id, for callers that notice when its cause is resolved. */
export function toastError(description: string): number {
  return showToast({ title: "Error", description, isDestructive: true });
}

/** The message for a failure without one from the server; a function gives it for any failure. */
export type FailureMessage = string | ((error: unknown) => string);

/** The server's message, or `fallback` if it gave none or wasn't reached. */
export function getFailureMessage(error: unknown, fallback: FailureMessage): string {
  if (typeof fallback !== "string") return fallback(error);
  return error instanceof CallError && error.message !== "" ? error.message : fallback;
}

const announcement = signal("");

/** The live region's text for assistive technology, such as a moved row. */
export const useAnnouncement = () => useSignalValue(announcement);

/** Announces a message politely. */
export function announce(message: string): void {
  // Screen readers repeat a message only if the text differs.
  announcement.value = announcement.value === message ? `${message}\u00a0` : message;
}
