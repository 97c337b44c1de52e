/** What listens to every page of the dashboard. Loaded after it, to start faster. */
import { startFocusScrolling } from "./dockedElements.ts";

/** Returns a function that stops. */
export function startGlobalListeners(): () => void {
  const stopScrolling = startFocusScrolling();
  // After the handlers of areas for files.
  window.addEventListener("dragover", refuseStrayFiles);
  window.addEventListener("drop", refuseStrayFiles);
  return () => {
    stopScrolling();
    window.removeEventListener("dragover", refuseStrayFiles);
    window.removeEventListener("drop", refuseStrayFiles);
  };
}

const FILE_TARGET_SELECTOR = "[contenteditable=true], [type=file]";

/** A browser opens a file that is dropped where nothing takes it, in place of the dashboard. */
function refuseStrayFiles(event: DragEvent): void {
  const { dataTransfer, target, defaultPrevented } = event;
  if (defaultPrevented || !dataTransfer?.types.includes("Files")) return;
  if (target instanceof Element && target.closest(FILE_TARGET_SELECTOR)) return;
  event.preventDefault();
  dataTransfer.dropEffect = "none";
}
