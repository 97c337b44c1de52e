/**
 * What a public page says in passing, one toast at a time (specification, section 9.1). A component asks for
 * one by the event `toast`, with what it says as its detail; without, it takes its words back.
 */
import type { ToastRequest } from "../ui/toast.ts";
import { keepTime } from "../ui/toastTime.ts";
import { cross } from "./markup.ts";
import type { ProgramWords } from "../words/programWords.ts";

/** Stands before this program. */
declare const WORDS: ProgramWords;

/** How long a region takes to be known to a screen reader where it is new, in milliseconds: only then it is listened to. */
const KNOWN_AFTER = 100;

/** Makes the region, and listens for the life of the page: to be called once. */
export function showToasts(): void {
  viewport = Object.assign(document.createElement("section"), WORDS.mark);
  viewport.className = "ui-toasts";
  viewport.tabIndex = -1;
  viewport.ariaLabel = WORDS.toasts.region;
  viewport.innerHTML = '<div aria-live="polite" aria-atomic="true"></div>';
  // Before there is anything to say.
  document.body.append(viewport);
  addEventListener("toast", (event) => {
    const { detail } = event as CustomEvent<ToastRequest | null>;
    if (detail) showToast(detail);
    else dismiss?.();
  });
  addEventListener("dialog", placeToasts);
  document.addEventListener("keydown", ({ key }) => {
    if (key === "F8") viewport.focus();
  });
}

/** The region that toasts show in. */
let viewport: HTMLElement;

/** Takes the toast away that is there. */
let dismiss: (() => void) | undefined;

let shown: HTMLElement[] = [];

/** Set while the region is new where it is. */
let settling = 0;

/** Shows a toast in the place of any other, until its time is up. */
function showToast({ title, description = "", destructive }: ToastRequest): void {
  dismiss?.();
  const box = document.createElement("div");
  box.className = "ui-toast";
  if (destructive) box.dataset["destructive"] = "";
  box.innerHTML = `<div class="ui-toast-words"><div class="ui-toast-title"></div><div class="ui-toast-description"></div></div>${cross(WORDS.toasts.close)}`;
  box.querySelector(".ui-toast-title")!.textContent = title;
  box.querySelector(".ui-toast-description")!.textContent = description;
  shown = [box];
  placeToasts();
  if (!settling) speak();
  const take = () => {
    stop();
    box.remove();
    shown = [];
  };
  const stop = keepTime(viewport, take);
  dismiss = take;
  box.querySelector("button")!.addEventListener("click", take);
}

/**
 * Brings the region of toasts into the open dialog, outside of which nothing can be reached, or back. What it says
 * is put in anew, since words that come with their region are read to nobody.
 */
function placeToasts(): void {
  const place = document.querySelector("dialog[open]") ?? document.body;
  if (viewport.parentElement !== place) {
    viewport.firstElementChild!.replaceChildren();
    place.append(viewport);
    clearTimeout(settling);
    settling = window.setTimeout(speak, KNOWN_AFTER);
  }
}

function speak(): void {
  settling = 0;
  viewport.firstElementChild!.replaceChildren(...shown);
}
