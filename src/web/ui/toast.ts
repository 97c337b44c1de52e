/** What is said in passing: one toast at a time (specification, section 9.1). Free of React, callable anywhere. */
import { signal } from "@preact/signals-react";

/** How long after its dismissal a toast is forgotten, in milliseconds (specification, section 9.1). */
const TOAST_REMOVE_DELAY = 1_000_000;

export interface ToastRequest {
  readonly title: string;
  readonly description?: string;
  /** Something failed: shown in the color of danger. */
  readonly destructive?: boolean;
  /** One thing to do about it, such as Undo. */
  readonly action?: { readonly label: string; readonly onPress: () => void };
}

/** The toast there is; `open` turns false on dismissal and it leaves the screen. */
export interface Toast extends ToastRequest {
  readonly id: number;
  readonly open: boolean;
}

/** The one toast, or null. Written in the browser only: the server shares it among requests. */
export const currentToast = signal<Toast | null>(null);

let lastId = 0;
let removal: ReturnType<typeof setTimeout> | undefined;

/** Shows a toast in the place of any other; returns its id. */
export function showToast(request: ToastRequest): number {
  clearTimeout(removal);
  lastId += 1;
  currentToast.value = { ...request, id: lastId, open: true };
  return lastId;
}

/** Dismisses the toast, or only the one of this id. */
export function dismissToast(id?: number): void {
  const toast = currentToast.value;
  if (!toast?.open || (id !== undefined && toast.id !== id)) return;
  currentToast.value = { ...toast, open: false };
  clearTimeout(removal);
  removal = setTimeout(() => forget(toast.id), TOAST_REMOVE_DELAY);
}

/** Dismisses what was said of a failure. */
export function dismissError(): void {
  const toast = currentToast.value;
  if (toast?.destructive) dismissToast(toast.id);
}

function forget(id: number): void {
  if (currentToast.value?.id === id) currentToast.value = null;
}
