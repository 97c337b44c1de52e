/** Listeners for all pages of the dashboard. Loaded after the page, so that the page starts faster. */
import { startFocusScrolling } from "./dockedElements.ts";

/** Returns a function that stops the listeners. */
export function startGlobalListeners(): () => void {
  const stopScrolling = startFocusScrolling();
  // The listeners are on the window, so that drop areas can handle their files first.
  window.addEventListener("dragover", refuseStrayFiles);
  window.addEventListener("drop", refuseStrayFiles);
  return () => {
    stopScrolling();
    window.removeEventListener("dragover", refuseStrayFiles);
    window.removeEventListener("drop", refuseStrayFiles);
  };
}

const FILE_TARGET_SELECTOR = "[contenteditable=true], [type=file]";

/** Refuses files dropped outside of drop areas: the browser would leave the dashboard to open them. */
function refuseStrayFiles(event: DragEvent): void {
  const { dataTransfer, target, defaultPrevented } = event;
  if (defaultPrevented || !dataTransfer?.types.includes("Files")) return;
  if (target instanceof Element && target.closest(FILE_TARGET_SELECTOR)) return;
  event.preventDefault();
  dataTransfer.dropEffect = "none";
}
