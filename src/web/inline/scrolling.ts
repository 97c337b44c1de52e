/** Sets attributes that depend on the scroll position, for the styles (specification, sections 2.2 and 2.3). */

/** The bar becomes dark after scrolling this far, in CSS pixels. */
const DARK_BAR_SCROLL_PX = 50;

/** The position where the mailing list's tab appears, as a fraction of the window's height. */
const TAB_SCROLL_FRACTION = 0.8;

/** The docked button is hidden while one of these is in view: the form, a button that leads to it, or the footer. */
const DOCK_HIDING_SELECTOR = ".hero, #enquiry, .transformations-footer, body > footer";

export function trackScrolling(): void {
  let pendingFrame = 0;
  const scheduleUpdate = () => {
    pendingFrame ||= requestAnimationFrame(() => {
      pendingFrame = 0;
      updateScrollState();
    });
  };
  for (const eventType of ["scroll", "resize"]) addEventListener(eventType, scheduleUpdate);
  scheduleUpdate();
}

function updateScrollState(): void {
  // The button that opened a dialog must not be hidden, so that the focus can return to it.
  if (document.querySelector("dialog[open]")) return;
  toggleAttribute(".bar", "data-dark", scrollY > DARK_BAR_SCROLL_PX);
  toggleAttribute(".updates-tab", "data-out", scrollY > innerHeight * TAB_SCROLL_FRACTION);
  toggleAttribute(
    ".dock",
    "data-out",
    ![...document.querySelectorAll(DOCK_HIDING_SELECTOR)].some(isInView),
  );
}

function toggleAttribute(selector: string, name: string, isOn: boolean): void {
  document.querySelector(selector)?.toggleAttribute(name, isOn);
}

function isInView(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}
