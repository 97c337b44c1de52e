/**
 * Loads the first picture of a linked page when a mouse rests on the link or a finger touches it. The browser
 * prefetches the page at the same time (Document.tsx), but not its pictures.
 */
import { isSavingData } from "./prefetch.ts";

/** The properties of an image in the order in which they are set, since setting `srcset` starts the request. */
export type FirstPicture =
  { readonly sizes?: string; readonly srcset: string } | { readonly src: string };

/** The first pictures of pages, by path, or by path and hash for links to an anchor. */
export type FirstPictures = Readonly<Record<string, FirstPicture>>;

/** The time that a mouse has to rest on a link, in milliseconds. Browsers prefetch a page after the same time. */
const HOVER_DELAY_MS = 200;

export function fetchFirstPictures(pictures: FirstPictures): void {
  document.addEventListener("pointerover", (event) => {
    const link = findLink(event);
    // The listener for touchstart handles touches.
    if (link && event.pointerType !== "touch")
      setTimeout(() => link.matches(":hover") && fetchPicture(link), HOVER_DELAY_MS);
  });
  document.addEventListener(
    "touchstart",
    (event) => {
      const link = findLink(event);
      if (link) fetchPicture(link);
    },
    { passive: true },
  );

  function fetchPicture({ origin, pathname, hash }: HTMLAnchorElement): void {
    const sources = origin === location.origin && (pictures[pathname + hash] ?? pictures[pathname]);
    if (!sources || isSavingData()) return;
    Object.assign(new Image(), sources);
  }
}

const findLink = ({ target }: Event) =>
  target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
