/** Scrolls the focused field, so that elements docked at the bottom of the screen don't cover it. */

/** The docked elements, from the bottom up: the save bar, the preview's sheet, the toast. */
const DOCKED_SELECTOR = ".save-bar:not([hidden]), .preview-sheet, .ui-toast";

const DIALOG_BUTTONS_SELECTOR = ".actions";

/**
 * The focused elements that are scrolled into view: text inputs, and any element that was focused by keyboard. Browsers
 * don't scroll to an element that a docked element covers, since it is inside the window.
 */
const FOCUSED_INPUT_SELECTOR =
  "input:not([type=radio], [type=checkbox], [type=file], [type=color]), textarea, select, [contenteditable=true], :focus-visible";

const LONG_INPUT_SELECTOR = "textarea, [contenteditable=true]";

/** The space between a field and docked elements, in CSS pixels. */
const FIELD_MARGIN_PX = 12;

/**
 * Sets three properties, in pixels: `--keyboard` is the height of a phone's keyboard on the page, `--save-bar` is the
 * bar's height, and `--docked` is the height of everything that covers the page. Scrolls the focused field out of the
 * covered area. Returns a function that stops the updates.
 */
export function startFocusScrolling(): () => void {
  const abortController = new AbortController();
  const { signal } = abortController;
  const resizeObserver = new ResizeObserver(updateDocked);
  const mutationObserver = new MutationObserver(() => requestAnimationFrame(updateDocked));
  window.visualViewport?.addEventListener("resize", updateDocked, { signal });
  window.visualViewport?.addEventListener("scroll", updateDocked, { signal });
  // The save bar and the toasts appear inside these containers. When a dialog opens, the toasts' container moves into
  // the dialog.
  const observeContainers = () => {
    for (const container of document.querySelectorAll(".save-bar-dock, .ui-toasts > div")) {
      resizeObserver.observe(container);
      mutationObserver.observe(container, {
        childList: true,
        subtree: true,
        attributeFilter: ["hidden"],
      });
    }
    // Content that is loaded later, such as the tiles of an image picker, moves the fields below it.
    const panel = document.activeElement?.closest(".ui-dialog-panel");
    if (panel) resizeObserver.observe(panel);
    requestAnimationFrame(updateDocked);
  };
  document.addEventListener("focusin", observeContainers, { signal });
  observeContainers();
  updateDocked();
  return () => {
    abortController.abort();
    resizeObserver.disconnect();
    mutationObserver.disconnect();
  };
}

function updateDocked(): void {
  const { style } = document.documentElement;
  style.setProperty("--keyboard", `${measureKeyboardHeight()}px`);
  const bar = document.querySelector<HTMLElement>(".save-bar");
  style.setProperty("--save-bar", `${bar?.offsetHeight ?? 0}px`);
  const edge = findDockedEdge();
  style.setProperty("--docked", `${Math.round(Math.max(0, window.innerHeight - edge))}px`);
  scrollAboveEdge(edge);
}

/**
 * Returns the height of the keyboard, in pixels. Returns 0 while the page is zoomed, since zooming makes the visual
 * viewport smaller too.
 */
function measureKeyboardHeight(): number {
  const viewport = window.visualViewport;
  if (!viewport || viewport.scale > 1.01) return 0;
  return Math.round(Math.max(0, window.innerHeight - viewport.height - viewport.offsetTop));
}

/** Returns the top edge of the highest docked element, in the window's pixels. */
function findDockedEdge(): number {
  const boxes = [...document.querySelectorAll(DOCKED_SELECTOR)].map((each) =>
    each.getBoundingClientRect(),
  );
  const visibleBoxes = boxes.filter(({ height }) => height > 0);
  return Math.min(
    window.innerHeight - measureKeyboardHeight(),
    ...visibleBoxes.map(({ top }) => top),
  );
}

function scrollAboveEdge(edge: number): void {
  const field = document.activeElement;
  if (!field?.matches(FOCUSED_INPUT_SELECTOR) || field.closest(DOCKED_SELECTOR)) return;
  const { top, bottom, height } = field.getBoundingClientRect();
  const overlap = bottom + FIELD_MARGIN_PX - Math.min(edge, findButtonsEdge(field));
  // A long text isn't scrolled here, since browsers scroll its cursor into view.
  if (overlap <= 0 || top < 0 || (height > edge / 2 && field.matches(LONG_INPUT_SELECTOR))) return;
  findScroller(field)?.scrollBy({ top: overlap });
}

/** Returns the top edge of the dialog's buttons that follow the field. Infinity if there are none. */
function findButtonsEdge(field: Element): number {
  const buttons = field.closest(".ui-dialog")?.querySelectorAll(DIALOG_BUTTONS_SELECTOR) ?? [];
  const followingButtons = [...buttons].filter(
    (each) => field.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING,
  );
  return Math.min(...followingButtons.map((each) => each.getBoundingClientRect().top));
}

/** Returns the element that scrolls the field: an ancestor or the window. Null in a dialog that doesn't scroll. */
function findScroller(field: Element): Element | Window | null {
  for (let ancestor = field.parentElement; ancestor; ancestor = ancestor.parentElement) {
    const isScrollable = /auto|scroll/.test(getComputedStyle(ancestor).overflowY);
    if (isScrollable && ancestor.scrollHeight > ancestor.clientHeight && ancestor !== document.body)
      return ancestor;
  }
  return field.closest("dialog") ? null : window;
}
