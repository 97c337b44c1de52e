/**
 * Loads the first picture of another page, or of the linked place on it, while a mouse rests on the link or a finger
 * touches it: the browser prefetches the page by then (Document.tsx), and its largest paint waits for the picture.
 */
import { isSavingData } from "./ahead.ts";

/** Properties of an image, in this order: setting `srcset` starts the request. */
export type FirstPicture =
  { readonly sizes?: string; readonly srcset: string } | { readonly src: string };

/** By path; by path and hash for links to a place further down. */
export type FirstPictures = Readonly<Record<string, FirstPicture>>;

/**
 * The time that a mouse has to rest on a link, in milliseconds: as long as browsers wait before they
 * prefetch.
 */
const HOVER_DELAY_MS = 200;

/** Adds permanent listeners: call it once. */
export function fetchFirstPictures(pictures: FirstPictures): void {
  document.addEventListener("pointerover", (event) => {
    const link = findLink(event);
    // Touches are handled by touchstart.
    if (link && event.pointerType !== "touch")
      setTimeout(() => link.matches(":hover") && fetchFor(link), HOVER_DELAY_MS);
  });
  document.addEventListener(
    "touchstart",
    (event) => {
      const link = findLink(event);
      if (link) fetchFor(link);
    },
    { passive: true },
  );

  function fetchFor({ origin, pathname, hash }: HTMLAnchorElement): void {
    const sources = origin === location.origin && (pictures[pathname + hash] ?? pictures[pathname]);
    if (!sources || isSavingData()) return;
    Object.assign(new Image(), sources);
  }
}

const findLink = ({ target }: Event) =>
  target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
