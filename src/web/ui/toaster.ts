/** Shows the dashboard's toasts. inline/toasts.ts shows those of the public pages. */
import { effect } from "@preact/signals-react";
import { topDialog } from "./openDialogs.ts";
import { currentToast, dismissToast, type ToastRequest } from "./toast.ts";
import { createToastRegion } from "./toastRegion.ts";

/** Shows each toast until the returned function is called. Call `showToasts` once. */
export function showToasts(): () => void {
  const element = document.createElement("section");
  element.ariaLabel = "Notifications (F8)";
  const region = createToastRegion(element, "Close notification", () => dismissToast());
  // While a dialog is open, the toasts are moved into it. Outside of it they would be inert.
  const stopMoving = effect(() => region.moveTo(topDialog.value ?? document.body));
  const stopShowing = effect(() => {
    const toast = currentToast.value;
    if (!toast?.isOpen) return region.dismiss();
    const shown = region.show(toast);
    if (toast.action) shown.lastElementChild?.before(createActionButton(toast.action));
  });
  return () => {
    stopMoving();
    stopShowing();
    element.remove();
  };
}

function createActionButton({ label, onPress }: NonNullable<ToastRequest["action"]>): HTMLElement {
  const button = Object.assign(document.createElement("button"), {
    type: "button",
    className: "ui-button",
    textContent: label,
    onclick: () => {
      dismissToast();
      onPress();
    },
  });
  button.dataset["size"] = "small";
  return button;
}
