/**
 * Lays out the sections below the hero only when its picture is painted or has failed, so that their pictures aren't
 * requested earlier. They appear one per frame, since laying out all at once would keep a phone from responding to
 * touch. After three seconds, or on the visitor's first input, all appear. Links to a section (`#about`), a reload and
 * Back show the whole page immediately. The script must directly follow the picture.
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
