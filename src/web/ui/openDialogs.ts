/** The open dialogs. Everything outside the topmost is inert, including toasts. */
import { computed, signal } from "@preact/signals-react";
import { reserveScrollbarSpace } from "./scrollbar.ts";

/** In the order of opening. */
const openDialogs = signal<readonly HTMLDialogElement[]>([]);

/** Undefined without an open dialog. */
export const topDialog = computed(() => openDialogs.value.at(-1));

/** Returns a function that unregisters the dialog. */
export function registerDialog(dialog: HTMLDialogElement): () => void {
  if (openDialogs.value.length === 0) reserveScrollbarSpace();
  openDialogs.value = [...openDialogs.value, dialog];
  return () => {
    openDialogs.value = openDialogs.value.filter((each) => each !== dialog);
  };
}
