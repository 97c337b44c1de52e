/**
 * Gives the hero's picture the whole connection until it is painted: the sections below aren't laid out yet, so their
 * pictures aren't requested. When the picture is painted or has failed, the sections appear one per frame, since laying
 * out all of them in one task would keep a phone from responding to touch. After three seconds, or on the visitor's
 * first input, all sections appear. The script is placed directly after the picture. The script sets `data-alone` and
 * `data-shown` for the styles. Visitors who follow a link to a section (`#about`), return to their position, or have no
 * scripts get the whole page immediately.
 */
const MAX_WAIT_MS = 3000;
const requestFrame = requestAnimationFrame;

function prioritizeHero(): void {
  const script = document.currentScript;
  const page = script?.closest<HTMLElement>(".page");
  const picture = script?.previousElementSibling as HTMLImageElement;
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (!page || location.hash || navigation?.type !== "navigate") return;

  const showRest = () => delete page.dataset["alone"];
  const showNext = () => {
    const section = page.querySelector<HTMLElement>(":scope > .section:not([data-shown])");
    if (!section) return showRest();
    section.dataset["shown"] = "";
    requestFrame(showNext);
  };
  const showAfterFrames = () => requestFrame(() => requestFrame(() => requestFrame(showNext)));
  page.dataset["alone"] = "";
  setTimeout(showRest, MAX_WAIT_MS);
  if (picture.complete) showAfterFrames();
  else
    for (const eventType of ["load", "error"]) picture.addEventListener(eventType, showAfterFrames);
  for (const eventType of ["scroll", "wheel", "keydown", "pointerdown"])
    addEventListener(eventType, showRest, { once: true, passive: true });
}

prioritizeHero();
