/** The toasts of a public page. The event `toast` shows its detail as a toast; without one, it dismisses the toast. */
import type { ToastRequest } from "../ui/toast.ts";
import { createToastRegion } from "../ui/toastRegion.ts";

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
    // The region may still be in a dialog that was just closed, since the dialog's event comes later.
    move();
    if (detail) show(detail);
    else dismiss();
  });
}
