/** The dashboard's messages: toasts, and announcements to assistive technology. */
import { signal } from "@preact/signals-react";
import { CallError } from "../shared/api.ts";
import { showToast, type ToastRequest } from "./toast.ts";
import { useSignalValue } from "./useSignalValue.ts";

export type ToastAction = ToastRequest["action"];

export function toastSuccess(description: string, action?: ToastAction): void {
  showToast({ title: "Success", description, ...(action ? { action } : {}) });
}

/** Shows the server's message in a toast, or `fallback` if there is none. Returns the toast's id. */
export function toastFailure(error: unknown, fallback: FailureMessage): number {
  return toastError(getFailureMessage(error, fallback));
}

/** Shows an error in a toast. Returns the toast's id, with which the caller can dismiss the toast. */
export function toastError(description: string): number {
  return showToast({ title: "Error", description, isDestructive: true });
}

/** The message of a failure for which the server gives no reason. A function returns the message of every failure. */
export type FailureMessage = string | ((error: unknown) => string);

/** Returns the server's message, or `fallback` if there is none or the server wasn't reached. */
export function getFailureMessage(error: unknown, fallback: FailureMessage): string {
  if (typeof fallback !== "string") return fallback(error);
  return error instanceof CallError && error.message !== "" ? error.message : fallback;
}

const announcement = signal("");

/** Returns the text to announce to screen readers, such as "Hero moved to position 2 of 5". */
export const useAnnouncement = () => useSignalValue(announcement);

export function announce(message: string): void {
  // Screen readers announce a repeated message only if its text differs, so a space is added.
  announcement.value = announcement.value === message ? `${message}\u00a0` : message;
}
