/** A press on a poster plays the video in place. Without scripts, or with a modifier key, the poster is a link. */

export function playVideos(): void {
  let stopPlaying: (() => void) | undefined;
  document.addEventListener("click", (event) => {
    const poster = (event.target as Element).closest<HTMLElement>("[data-embed]");
    if (!poster || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    // Only one video plays at a time.
    stopPlaying?.();
    const frame = document.createElement("iframe");
    frame.allow = "autoplay; fullscreen; picture-in-picture";
    frame.referrerPolicy = "strict-origin-when-cross-origin";
    const { title = "", embed = "" } = poster.dataset;
    frame.title = title;
    frame.src = embed;
    stopPlaying = () => frame.replaceWith(poster);
    poster.replaceWith(frame);
    frame.focus();
  });
}
