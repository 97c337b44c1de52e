/** The bar's buttons on the home page, which lead to its sections; without scripts they are a form's. */
import { scrollBehavior } from "./motion.ts";

/** Listens for the life of the page: to be called once. */
export function jumpToSections(): void {
  document.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLButtonElement>(".menu-sections button");
    if (!button) return;
    event.preventDefault();
    document.getElementById("menu")?.hidePopover();
    jump(sectionOf(button));
  });
}

/** The section, or the next one that is there: an empty one is not (specification, section 2.2). */
function sectionOf(button: HTMLButtonElement): HTMLElement | null {
  const buttons = [...button.form!.querySelectorAll("button")];
  for (const { formAction } of buttons.slice(buttons.indexOf(button))) {
    const section = document.getElementById(new URL(formAction).hash.slice(1));
    if (section) return section;
  }
  return document.querySelector("body > footer");
}

/** Brings a section to the top of the screen, and the keyboard's place with it. */
function jump(section: HTMLElement | null): void {
  if (!section) return;
  section.tabIndex = -1;
  section.focus({ preventScroll: true });
  section.scrollIntoView({ behavior: scrollBehavior() });
}
