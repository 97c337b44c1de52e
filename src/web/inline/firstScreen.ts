/**
 * Lets the first screen have the line to itself until it has been painted. Stands in the page behind the
 * hero's picture: what stands below the hero is not laid out, so none of its pictures is asked for, until
 * the picture has come or failed and a frame has been shown with it; at the latest after three seconds, or
 * when the visitor does anything. Then the sections come one in each frame: all at once they are laid out in
 * one task, too long for a phone to answer a touch meanwhile. `data-alone` and `data-shown` are for the styles. Whoever comes for a section
 * further down (`#about`), comes back to where they were, or has no scripts gets the whole page at once.
 */
const LATEST = 3000;
const frame = requestAnimationFrame;

function standAlone(script: HTMLOrSVGScriptElement): void {
  const page = script.closest<HTMLElement>(".page")!;
  const picture = script.previousElementSibling as HTMLImageElement;
  const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (location.hash || visit?.type !== "navigate") return;

  const showRest = () => delete page.dataset["alone"];
  const showNext = () => {
    const section = page.querySelector<HTMLElement>(":scope > .section:not([data-shown])");
    if (!section) return showRest();
    section.dataset["shown"] = "";
    frame(showNext);
  };
  const afterFrames = () => frame(() => frame(() => frame(showNext)));
  page.dataset["alone"] = "";
  setTimeout(showRest, LATEST);
  if (picture.complete) afterFrames();
  else for (const end of ["load", "error"]) picture.addEventListener(end, afterFrames);
  for (const deed of ["scroll", "wheel", "keydown", "pointerdown"])
    addEventListener(deed, showRest, { once: true, passive: true });
}

standAlone(document.currentScript!);
