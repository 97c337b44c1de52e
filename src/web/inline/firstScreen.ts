/**
 * Gives the hero the whole connection until it has been painted. Placed after the hero's picture: everything below
 * isn't laid out, so its pictures aren't requested, until the picture has loaded or failed and been painted; at the
 * latest after three seconds, or on the visitor's first input. Then the sections appear one per frame: together their
 * layout would be one task, too long for a phone to respond to touch. The styles use `data-alone` and `data-shown`.
 * Visitors who follow a link to a section (`#about`), return to their position, or have no scripts get the whole page
 * immediately.
 */
const MAX_WAIT_MS = 3000;
const requestFrame = requestAnimationFrame;

function prioritizeHero(): void {
  const script = document.currentScript;
  const page = script?.closest<HTMLElement>(".page");
  const picture = script?.previousElementSibling as HTMLImageElement;
  const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (!page || location.hash || visit?.type !== "navigate") return;

  const showRest = () => delete page.dataset["alone"];
  const showNext = () => {
    const section = page.querySelector<HTMLElement>(":scope > .section:not([data-shown])");
    if (!section) return showRest();
    section.dataset["shown"] = "";
    requestFrame(showNext);
  };
  const afterFrames = () => requestFrame(() => requestFrame(() => requestFrame(showNext)));
  page.dataset["alone"] = "";
  setTimeout(showRest, MAX_WAIT_MS);
  if (picture.complete) afterFrames();
  else for (const end of ["load", "error"]) picture.addEventListener(end, afterFrames);
  for (const deed of ["scroll", "wheel", "keydown", "pointerdown"])
    addEventListener(deed, showRest, { once: true, passive: true });
}

prioritizeHero();
