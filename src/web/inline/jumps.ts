/** The bar's buttons on the home page, which scroll to its sections; without scripts they submit a form. */
import { preferredScrollBehavior } from "./motion.ts";

const BUTTONS_SELECTOR = ".menu-sections button";

/** Adds permanent listeners: call it once. */
export function jumpToSections(): void {
  document.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLButtonElement>(BUTTONS_SELECTOR);
    if (!button) return;
    event.preventDefault();
    document.getElementById("menu")?.hidePopover();
    scrollToSection(findSection(button));
  });
}

/** The section, or the next existing one: empty ones don't exist (specification, section 2.2). */
function findSection(button: HTMLButtonElement): HTMLElement | null {
  const buttons = [...document.querySelectorAll<HTMLButtonElement>(BUTTONS_SELECTOR)];
  for (const { formAction } of buttons.slice(buttons.indexOf(button))) {
    const section = document.getElementById(new URL(formAction).hash.slice(1));
    if (section) return section;
  }
  return document.querySelector("body > footer");
}

/** Scrolls a section to the top, and moves the keyboard focus there. */
function scrollToSection(section: HTMLElement | null): void {
  if (!section) return;
  section.tabIndex = -1;
  section.focus({ preventScroll: true });
  section.scrollIntoView({ behavior: preferredScrollBehavior() });
}
