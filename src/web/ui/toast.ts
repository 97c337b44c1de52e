/** One toast at a time (specification, section 9.1). Independent of React, callable anywhere. */
import { signal } from "@preact/signals-react";

/** The time after its dismissal until a toast is removed, in milliseconds (specification, section 9.1). */
const TOAST_REMOVE_DELAY_MS = 1_000_000;

export interface ToastRequest {
  readonly title: string;
  readonly description?: string;
  /** Something failed: shown in the danger color. */
  readonly isDestructive?: boolean;
  /** An action such as Undo. */
  readonly action?: { readonly label: string; readonly onPress: () => void };
}

/** The current toast; `open` becomes false when it is dismissed, and it disappears. */
interface Toast extends ToastRequest {
  readonly id: number;
  readonly open: boolean;
}

/** The only toast, or null. Set only in browsers: on the server, requests would share it. */
export const currentToast = signal<Toast | null>(null);

let lastId = 0;
let removalTimer: ReturnType<typeof setTimeout> | undefined;

/** Shows a toast, replacing the current one; returns its id. */
export function showToast(request: ToastRequest): number {
  clearTimeout(removalTimer);
  lastId += 1;
  currentToast.value = { ...request, id: lastId, open: true };
  return lastId;
}

/** Dismisses the toast, or only the one with this id. */
export function dismissToast(id?: number): void {
  const toast = currentToast.value;
  if (!toast?.open || (id !== undefined && toast.id !== id)) return;
  currentToast.value = { ...toast, open: false };
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
