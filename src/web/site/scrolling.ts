/** Where the page is scrolled to, and how it scrolls there. */
import { signal } from "@preact/signals-react";

/** How far the page is scrolled down, in CSS pixels. Written in the browser only. */
export const scrolledDown = signal(0);

/** Follows the page's scrolling; answers how to stop. */
export function followScrolling(): () => void {
  follow();
  window.addEventListener("scroll", follow, { passive: true });
  return () => window.removeEventListener("scroll", follow);
}

function follow(): void {
  scrolledDown.value = window.scrollY;
}

/** Smooth, unless the visitor asks for less motion. */
export function scrollBehaviour(): ScrollBehavior {
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
}

/** Brings a section to the top of the screen, and the keyboard's place with it. */
export function scrollToSection(id: string): void {
  const section = document.getElementById(id);
  if (!section) return;
  section.tabIndex = -1;
  section.focus({ preventScroll: true });
  section.scrollIntoView({ behavior: scrollBehaviour() });
}
