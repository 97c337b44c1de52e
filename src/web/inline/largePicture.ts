/** A press on a poster opens its large picture. Arrow keys, buttons and swipes show the next or previous picture. */
import { ARROW_PATHS, createIconSvg } from "../ui/markup.ts";
import { openDialog } from "./dialog.ts";

/** Adds permanent listeners. Call it once, or a press would open two dialogs. */
export function handlePicturePresses(): void {
  document.addEventListener("click", ({ target }) => {
    const opener = (target as Element).closest(".poster-opener");
    const gallery = opener?.closest<HTMLElement>("[data-gallery]");
    if (!opener || !gallery) return;
    const openers = [...gallery.querySelectorAll(".poster-opener")];
    const { gallery: galleryKind } = gallery.dataset;
    openPictureDialog(
      openers.map(readPoster),
      openers.indexOf(opener),
      `large-picture-${galleryKind}`,
    );
  });
}

interface PosterDetails {
  readonly title: string;
  readonly subtitle: string;
  readonly picture: HTMLImageElement | null | undefined;
}

function readPoster(opener: Element): PosterDetails {
  const poster = opener.closest(".poster");
  const readText = (selector: string) => poster?.querySelector(selector)?.textContent ?? "";
  return {
    title: readText(".poster-title"),
    subtitle: readText(".poster-subtitle"),
    picture: poster?.querySelector("img"),
  };
}

const ARROW_BUTTONS_HTML = ARROW_PATHS.map(({ to, path }) => {
  const focus = to === "next" ? " autofocus" : "";
  return `<button type="button" class="arrow" aria-label="${WORDS.gallery[to]}"${focus}>${createIconSvg(path, 1.75)}</button>`;
}).join("");

const DIALOG_HTML = `<div class="large-picture-stage"><img></div>
<div class="large-picture-caption" aria-hidden="true"><p dir="auto"><strong></strong> <span></span></p></div>
<p class="visually-hidden" aria-live="polite"></p>`;

/** Opens the dialog. `variantClass` is "large-picture-dialog", or "large-picture-lightbox" for full screen. */
function openPictureDialog(
  posters: readonly PosterDetails[],
  firstIndex: number,
  variantClass: string,
): void {
  const hasMore = posters.length > 1;
  const dialog = openDialog({
    className: `large-picture ${variantClass}`,
    size: "large",
    isTitleHidden: true,
    content: hasMore ? GALLERY_DIALOG_HTML : DIALOG_HTML,
  });
  const setText = (selector: string, text: string) =>
    dialog.querySelector(selector)?.replaceChildren(text);
  let index = firstIndex;
  const show = () => {
    const { title = "", subtitle = "", picture } = posters[index] ?? {};
    setText("h2", title);
    if (picture)
      dialog
        .querySelector(".large-picture-stage > img")
        ?.replaceWith(createLargePicture(picture, title));
    setText("strong", title);
    setText("span", subtitle);
    setText(".large-picture-count", `${index + 1} / ${posters.length}`);
    const position = WORDS.gallery.position
      .replace("{number}", String(index + 1))
      .replace("{count}", String(posters.length));
    setText("[aria-live]", [title, subtitle, position].filter(Boolean).join(", "));
  };
  show();
  trackZoom(dialog);
  if (hasMore)
    listenForMoves(dialog, (step) => {
      index = (index + step + posters.length) % posters.length;
      show();
    });
}

const GALLERY_DIALOG_HTML = DIALOG_HTML.replace("<img>", `<img>${ARROW_BUTTONS_HTML}`).replace(
  "</p></div>",
  '</p><p class="large-picture-count"></p></div>',
);

/** Creates the large picture. It is the whole picture, while a poster may show only a part. */
function createLargePicture(picture: HTMLImageElement, title: string): HTMLImageElement {
  const largePicture = picture.cloneNode() as HTMLImageElement;
  largePicture.removeAttribute("class");
  largePicture.removeAttribute("data-placed");
  largePicture.loading = "eager";
  if (largePicture.sizes) largePicture.sizes = "100vw";
  largePicture.alt = [title, picture.alt].filter(Boolean).join(". ");
  return largePicture;
}

const isPageZoomed = () => (visualViewport?.scale ?? 1) > 1.01;

/** Sets `data-zoomed` while the page is zoomed. Style sheets then let one finger pan horizontally. */
function trackZoom(dialog: HTMLDialogElement): void {
  const update = () => dialog.toggleAttribute("data-zoomed", isPageZoomed());
  update();
  visualViewport?.addEventListener("resize", update);
  dialog.addEventListener("close", () => visualViewport?.removeEventListener("resize", update));
}

/** The minimum horizontal distance of a swipe, in CSS pixels. */
const SWIPE_DISTANCE_PX = 40;

/** Calls `onMove` with 1 for next (right arrow, swipe to the left) and -1 for previous, until the dialog closes. */
function listenForMoves(dialog: HTMLDialogElement, onMove: (step: 1 | -1) => void): void {
  const closeController = new AbortController();
  const { signal } = closeController;
  dialog.addEventListener("close", () => closeController.abort());
  for (const [index, arrow] of dialog.querySelectorAll(".arrow").entries())
    arrow.addEventListener("click", () => onMove(index === 0 ? -1 : 1));
  let start: Touch | undefined;
  const onKey = ({ key }: KeyboardEvent) => {
    if (key === "ArrowLeft") onMove(-1);
    if (key === "ArrowRight") onMove(1);
  };
  const onStart = ({ touches }: TouchEvent) => {
    start = touches.length === 1 && !isPageZoomed() ? touches[0] : undefined;
  };
  const onEnd = ({ changedTouches }: TouchEvent) => {
    const end = changedTouches[0];
    if (!start || !end) return;
    const deltaX = end.clientX - start.clientX;
    if (
      Math.abs(deltaX) < SWIPE_DISTANCE_PX ||
      Math.abs(deltaX) < Math.abs(end.clientY - start.clientY)
    )
      return;
    onMove(deltaX < 0 ? 1 : -1);
  };
  addEventListener("keydown", onKey, { signal });
  addEventListener("touchstart", onStart, { signal, passive: true });
  addEventListener("touchend", onEnd, { signal, passive: true });
}
