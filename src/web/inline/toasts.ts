/**
 * The toasts of a public page, one at a time (specification, section 9.1). Components request one with the event
 * `toast` and a detail; without a detail, the current one is dismissed.
 */
import type { ToastRequest } from "../ui/toast.ts";
import { startToastTimer } from "../ui/toastTime.ts";
import { cross } from "./markup.ts";
import type { ProgramWords } from "../words/programWords.ts";

/** Declared before this script. */
declare const WORDS: ProgramWords;

/**
 * The time that a screen reader takes to notice a new live region, in milliseconds: it announces nothing
 * before.
 */
const ANNOUNCE_DELAY_MS = 100;

/** Creates the region and adds permanent listeners: call it once. */
export function showToasts(): void {
  viewport = Object.assign(document.createElement("section"), WORDS.mark);
  viewport.className = "ui-toasts";
  viewport.tabIndex = -1;
  viewport.ariaLabel = WORDS.toasts.region;
  viewport.innerHTML = '<div aria-live="polite" aria-atomic="true"></div>';
  // Before there is anything to announce.
  document.body.append(viewport);
  addEventListener("toast", (event) => {
    const { detail } = event as CustomEvent<ToastRequest | null>;
    if (detail) showToast(detail);
    else dismiss?.();
  });
  addEventListener("dialog", moveToasts);
  document.addEventListener("keydown", ({ key }) => {
    if (key === "F8") viewport.focus();
  });
}

/** The live region for toasts. */
let viewport: HTMLElement;

/** Removes the current toast. */
let dismiss: (() => void) | undefined;

let shown: HTMLElement[] = [];

/** Set while the region has just been moved. */
let settling = 0;

/** Shows a toast, replacing the current one, until its time is up. */
function showToast({ title, description = "", destructive }: ToastRequest): void {
  dismiss?.();
  const box = document.createElement("div");
  box.className = "ui-toast";
  if (destructive) box.dataset["destructive"] = "";
  box.innerHTML = `<div class="ui-toast-text"><div class="ui-toast-title"></div><div class="ui-toast-description"></div></div>${cross(WORDS.toasts.close)}`;
  box.querySelector(".ui-toast-title")?.append(title);
  box.querySelector(".ui-toast-description")?.append(description);
  shown = [box];
  moveToasts();
  if (!settling) speak();
  const remove = () => {
    stop();
    box.remove();
    shown = [];
  };
  const stop = startToastTimer(viewport, remove);
  dismiss = remove;
  box.querySelector("button")?.addEventListener("click", remove);
}

/**
 * Moves the toasts' region into the open dialog, outside of which nothing is reachable, or back. Its content is
 * inserted again, since screen readers ignore text that comes with its region.
 */
function moveToasts(): void {
  const container = document.querySelector("dialog[open]") ?? document.body;
  if (viewport.parentElement !== container) {
    viewport.firstElementChild?.replaceChildren();
    container.append(viewport);
    clearTimeout(settling);
    settling = window.setTimeout(speak, ANNOUNCE_DELAY_MS);
  }
}

function speak(): void {
  settling = 0;
  viewport.firstElementChild?.replaceChildren(...shown);
}
