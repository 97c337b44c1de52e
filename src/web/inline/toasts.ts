/**
 * The toasts of a public page. Components request one with the event `toast` and a detail; without a detail, the
 * current one is dismissed.
 */
import type { ToastRequest } from "../ui/toast.ts";
import { createToastRegion } from "../ui/toastRegion.ts";
import type { ProgramWords } from "../words/programWords.ts";

/** Declared before this script. */
declare const WORDS: ProgramWords;

/** Creates the region and adds permanent listeners: call it once. */
export function showToasts(): void {
  const viewport = Object.assign(document.createElement("section"), WORDS.mark, {
    ariaLabel: WORDS.toasts.region,
  });
  const { show, dismiss, moveTo } = createToastRegion(viewport, WORDS.toasts.close);
  const move = () => moveTo(document.querySelector("dialog[open]") ?? document.body);
  // Before there is anything to announce.
  move();
  addEventListener("dialog", move);
  addEventListener("toast", (event) => {
    const { detail } = event as CustomEvent<ToastRequest | null>;
    // A dialog that has just been closed reports it later.
    move();
    if (detail) show(detail);
    else dismiss();
  });
}
