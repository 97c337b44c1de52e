/** The current toast: one at a time (specification, section 9.1). Without React, so that any code can show a toast. */
import { signal } from "@preact/signals-react";

/** A dismissed toast is hidden, and removed after this time in milliseconds (specification, section 9.1). */
const TOAST_REMOVE_DELAY_MS = 1_000_000;

export interface ToastRequest {
  readonly title: string;
  readonly description?: string;
  /** Whether something failed. The toast then has the danger color. */
  readonly isDestructive?: boolean;
  readonly action?: { readonly label: string; readonly onPress: () => void };
}

/** `isOpen` becomes false when the toast is dismissed. */
interface Toast extends ToastRequest {
  readonly id: number;
  readonly isOpen: boolean;
}

/** The current toast. It must not be set on the server, where all requests would share it. */
export const currentToast = signal<Toast | null>(null);

let lastId = 0;
let removalTimer: ReturnType<typeof setTimeout> | undefined;

/** Replaces the current toast. Returns the id of the new toast. */
export function showToast(request: ToastRequest): number {
  clearTimeout(removalTimer);
  lastId += 1;
  currentToast.value = { ...request, id: lastId, isOpen: true };
  return lastId;
}

/** Dismisses the current toast; with an `id`, only if the current toast has this id. */
export function dismissToast(id?: number): void {
  const toast = currentToast.value;
  if (!toast?.isOpen || (id !== undefined && toast.id !== id)) return;
  currentToast.value = { ...toast, isOpen: false };
  clearTimeout(removalTimer);
  removalTimer = setTimeout(() => removeToast(toast.id), TOAST_REMOVE_DELAY_MS);
}

export function dismissError(): void {
  const toast = currentToast.value;
  if (toast?.isDestructive) dismissToast(toast.id);
}

function removeToast(id: number): void {
  if (currentToast.value?.id === id) currentToast.value = null;
}
