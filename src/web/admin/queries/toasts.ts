/** The dashboard's toasts (spec section 8): "Success" or "Error" above the words. */
import { CallFailed } from "../../api.ts";
import { showToast, type ToastRequest } from "../../ui/toast.ts";

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
