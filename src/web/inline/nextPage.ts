/**
 * Fetches the picture that another page begins with, or the place on it that a link leads to, while a mouse rests
 * on that link or a finger comes down on it: the browser fetches the page ahead by then (Document.tsx), and the
 * picture is what its largest paint waits for.
 */
import { savesData } from "./ahead.ts";

/** As an image takes them, in this order: what stands in `srcset` is fetched at once. */
export type FirstPicture =
  { readonly sizes?: string; readonly srcset: string } | { readonly src: string };

/** Of other pages, by path; by path and hash where a link leads further down. */
export type FirstPictures = Readonly<Record<string, FirstPicture>>;

/** How long a mouse rests before it is taken for meant, in milliseconds: as long as browsers wait to fetch the page. */
const RESTS = 200;

/** Listens for the life of the page: to be called once. */
export function fetchFirstPictures(pictures: FirstPictures): void {
  document.addEventListener("pointerover", (event) => {
    const link = linkOf(event);
    // A finger is told by touchstart.
    if (link && event.pointerType !== "touch")
      setTimeout(() => link.matches(":hover") && fetchFor(link), RESTS);
  });
  document.addEventListener(
    "touchstart",
    (event) => {
      const link = linkOf(event);
      if (link) fetchFor(link);
    },
    { passive: true },
  );

  function fetchFor({ origin, pathname, hash }: HTMLAnchorElement): void {
    const sources = origin === location.origin && (pictures[pathname + hash] ?? pictures[pathname]);
    if (!sources || savesData()) return;
    Object.assign(new Image(), sources);
  }
}

const linkOf = ({ target }: Event) =>
  target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
