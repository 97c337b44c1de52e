/**
 * The toasts of a public page. An event `toast` with a detail shows a toast. Without a detail, it dismisses the current
 * toast.
 */
import type { ToastRequest } from "../ui/toast.ts";
import { createToastRegion } from "../ui/toastRegion.ts";

/** Creates the region and adds permanent listeners. Call it once. */
export function showToasts(): void {
  const region = Object.assign(document.createElement("section"), WORDS.langAttribute, {
    ariaLabel: WORDS.toasts.region,
  });
  const { show, dismiss, moveTo } = createToastRegion(region, WORDS.toasts.close);
  const move = () => moveTo(document.querySelector("dialog[open]") ?? document.body);
  // The region must be in the page before the first toast, or it isn't announced.
  move();
  addEventListener("dialog", move);
  addEventListener("toast", (event) => {
    const { detail } = event as CustomEvent<ToastRequest | null>;
    // A closed dialog dispatches its event later, so the region may still be in this dialog.
    move();
    if (detail) show(detail);
    else dismiss();
  });
}
