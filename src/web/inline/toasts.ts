/**
 * What a public page says in passing, one toast at a time (specification, section 9.1). A component asks for
 * one by the event `toast`, with what it says as its detail; without, it takes its words back.
 */
import type { ToastRequest } from "../ui/toast.ts";
import { keepTime } from "../ui/toastTime.ts";
import { cross } from "./markup.ts";

export function showToasts(): void {
  addEventListener("toast", (event) => {
    const { detail } = event as CustomEvent<ToastRequest | null>;
    if (detail) showToast(detail);
    else dismiss?.();
  });
  document.addEventListener("keydown", ({ key }) => {
    if (key === "F8") document.querySelector<HTMLElement>(VIEWPORT)?.focus();
  });
}

/** Takes the toast away that is there. */
let dismiss: (() => void) | undefined;

/** Shows a toast in the place of any other, until its time is up. */
export function showToast({ title, description = "", destructive }: ToastRequest): void {
  dismiss?.();
  const box = document.createElement("div");
  box.className = "ui-toast";
  if (destructive) box.dataset["destructive"] = "true";
  box.innerHTML = `<div class="ui-toast-words"><div class="ui-toast-title"></div><div class="ui-toast-description"></div></div>${cross("Close notification")}`;
  box.querySelector(".ui-toast-title")!.textContent = title;
  box.querySelector(".ui-toast-description")!.textContent = description;
  const viewport = placeToasts();
  viewport.firstElementChild!.replaceChildren(box);
  const take = () => {
    stop();
    box.remove();
  };
  const stop = keepTime(viewport, take);
  dismiss = take;
  box.querySelector("button")!.addEventListener("click", take);
}

const VIEWPORT = ".ui-toasts[tabindex]";

/** Brings the region of toasts into the open dialog, outside of which nothing can be reached, or back. */
export function placeToasts(): HTMLElement {
  const place = document.querySelector("dialog[open]") ?? document.body;
  const viewport = document.querySelector<HTMLElement>(VIEWPORT) ?? makeViewport();
  if (viewport.parentElement !== place) place.append(viewport);
  return viewport;
}

function makeViewport(): HTMLElement {
  const viewport = document.createElement("section");
  viewport.className = "ui-toasts";
  viewport.tabIndex = -1;
  viewport.ariaLabel = "Notifications (F8)";
  viewport.innerHTML = '<div aria-live="polite" aria-atomic="true"></div>';
  return viewport;
}
