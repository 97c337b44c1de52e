/** The open dialogs. Everything outside the topmost dialog is inert, including toasts. */
import { computed, signal } from "@preact/signals-react";
import { reserveScrollbarSpace } from "./scrollbar.ts";

/** The open dialogs, in the order in which they were opened. */
const openDialogs = signal<readonly HTMLDialogElement[]>([]);

/** The topmost dialog; undefined if no dialog is open. */
export const topDialog = computed(() => openDialogs.value.at(-1));

/** Adds an open dialog. Returns a function that removes it. */
export function registerDialog(dialog: HTMLDialogElement): () => void {
  if (openDialogs.value.length === 0) reserveScrollbarSpace();
  openDialogs.value = [...openDialogs.value, dialog];
  return () => {
    openDialogs.value = openDialogs.value.filter((each) => each !== dialog);
  };
}
