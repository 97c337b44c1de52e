/** One toast at a time (specification, section 9.1). Independent of React, callable anywhere. */
import { signal } from "@preact/signals-react";

/** The time after its dismissal until a toast is removed, in milliseconds (specification, section 9.1). */
const TOAST_REMOVE_DELAY_MS = 1_000_000;

export interface ToastRequest {
  readonly title: string;
  readonly description?: string;
  /** Whether something failed. Shown in the danger color. */
  readonly isDestructive?: boolean;
  readonly action?: { readonly label: string; readonly onPress: () => void };
}

/** `isOpen` becomes false when the toast is dismissed. */
interface Toast extends ToastRequest {
  readonly id: number;
  readonly isOpen: boolean;
}

/** Set only in browsers: on the server, requests would share it. */
export const currentToast = signal<Toast | null>(null);

let lastId = 0;
let removalTimer: ReturnType<typeof setTimeout> | undefined;

/** Replaces the current toast. Returns the new one's id. */
export function showToast(request: ToastRequest): number {
  clearTimeout(removalTimer);
  lastId += 1;
  currentToast.value = { ...request, id: lastId, isOpen: true };
  return lastId;
}

/** With an `id`, only if that toast is the current one. */
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
