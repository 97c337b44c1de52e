/** The open dialogs: everything outside the topmost is inert, including toasts. */
import { signal } from "@preact/signals-react";
import { keepScrollbarsRoom } from "./scrollbar.ts";

/** Open dialogs in the order of opening; the last is on top. */
export const openDialogs = signal<readonly HTMLDialogElement[]>([]);

/** Registers an open dialog; returns a function that unregisters it. */
export function enterTopLayer(dialog: HTMLDialogElement): () => void {
  if (openDialogs.value.length === 0) keepScrollbarsRoom();
  openDialogs.value = [...openDialogs.value, dialog];
  return () => {
    openDialogs.value = openDialogs.value.filter((each) => each !== dialog);
  };
}
