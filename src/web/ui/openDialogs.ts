/** The dialogs that are open: everything outside the topmost is inert, toasts included. */
import { signal } from "@preact/signals-react";
import { keepScrollbarsRoom } from "./scrollbar.ts";

/** Open dialogs in the order they opened; the last lies on top. */
export const openDialogs = signal<readonly HTMLDialogElement[]>([]);

/** Notes that a dialog opened; returns how to take that back. */
export function enterTopLayer(dialog: HTMLDialogElement): () => void {
  if (openDialogs.value.length === 0) keepScrollbarsRoom();
  openDialogs.value = [...openDialogs.value, dialog];
  return () => {
    openDialogs.value = openDialogs.value.filter((each) => each !== dialog);
  };
}
