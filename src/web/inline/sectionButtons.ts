/** The buttons of the bar that scroll to sections of the home page. Without scripts they submit a form. */
import { getScrollBehavior } from "./scrollBehavior.ts";

const BUTTONS_SELECTOR = ".menu-sections button";

export function handleSectionButtons(): void {
  document.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLButtonElement>(BUTTONS_SELECTOR);
    if (!button) return;
    event.preventDefault();
    document.getElementById("menu")?.hidePopover();
    scrollToSection(findSection(button));
  });
}

/** Finds a button's section, or the next one, since empty sections aren't rendered (specification, section 2.2). */
function findSection(button: HTMLButtonElement): HTMLElement | null {
  const buttons = [...document.querySelectorAll<HTMLButtonElement>(BUTTONS_SELECTOR)];
  for (const { formAction } of buttons.slice(buttons.indexOf(button))) {
    const section = document.getElementById(new URL(formAction).hash.slice(1));
    if (section) return section;
  }
  return document.querySelector("body > footer");
}

function scrollToSection(section: HTMLElement | null): void {
  if (!section) return;
  section.tabIndex = -1;
  section.focus({ preventScroll: true });
  section.scrollIntoView({ behavior: getScrollBehavior() });
}
