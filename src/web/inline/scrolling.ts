/** How far the page is scrolled, as attributes for the styles (specification, sections 2.2 and 2.3). */

/** The bar turns dark once the page is scrolled this far, in CSS pixels. */
const DARK_FROM = 50;

/** How far down the mailing list's tab appears, as a part of the window's height. */
const TAB_FROM = 0.8;

/** Where the page has a button of its own, or ends: the docked one is out of place. */
const WITHOUT_DOCK = ".hero, #enquiry, .transformations-end, body > footer";

/** Listens for the life of the page, and looks once at the beginning: to be called once. */
export function followScrolling(): void {
  let waiting = 0;
  const later = () => {
    waiting ||= requestAnimationFrame(() => {
      waiting = 0;
      look();
    });
  };
  for (const change of ["scroll", "resize"]) addEventListener(change, later);
  later();
}

function look(): void {
  // What a dialog came from stays, so that focus finds back to it.
  if (document.querySelector("dialog[open]")) return;
  mark(".bar", "data-dark", scrollY > DARK_FROM);
  mark(".updates-tab", "data-out", scrollY > innerHeight * TAB_FROM);
  mark(".dock", "data-out", ![...document.querySelectorAll(WITHOUT_DOCK)].some(isInView));
}

function mark(selector: string, name: string, on: boolean): void {
  document.querySelector(selector)?.toggleAttribute(name, on);
}

function isInView(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}
