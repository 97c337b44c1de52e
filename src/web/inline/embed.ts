/** A press on a poster plays its video in its place; without this, or with a key held, it is followed as a link. */

/** Listens for the life of the page: to be called once. */
export function playVideos(): void {
  let end: (() => void) | undefined;
  document.addEventListener("click", (event) => {
    const poster = (event.target as Element).closest<HTMLElement>("[data-embed]");
    if (!poster || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    // One plays at a time.
    end?.();
    const frame = document.createElement("iframe");
    frame.allow = "autoplay; fullscreen; picture-in-picture";
    frame.referrerPolicy = "strict-origin-when-cross-origin";
    const { title = "", embed = "" } = poster.dataset;
    frame.title = title;
    frame.src = embed;
    end = () => frame.replaceWith(poster);
    poster.replaceWith(frame);
    frame.focus();
  });
}
