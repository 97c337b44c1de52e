/** The open dialogs: everything outside the topmost is inert, including toasts. */
import { computed, signal } from "@preact/signals-react";
import { reserveScrollbarSpace } from "./scrollbar.ts";

/** Open dialogs in the order of opening; the last is on top. */
const openDialogs = signal<readonly HTMLDialogElement[]>([]);

/** The dialog on top; undefined without any. */
export const topDialog = computed(() => openDialogs.value.at(-1));

/** Registers an open dialog; returns a function that unregisters it. */
export function enterTopLayer(dialog: HTMLDialogElement): () => void {
  if (openDialogs.value.length === 0) reserveScrollbarSpace();
  openDialogs.value = [...openDialogs.value, dialog];
  return () => {
    openDialogs.value = openDialogs.value.filter((each) => each !== dialog);
  };
}
