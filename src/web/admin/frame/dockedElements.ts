/** Scrolls the focused field, so that elements docked at the bottom of the screen don't cover it. */

/** The docked elements, from the bottom up: the save bar, the preview's sheet, the toast. */
const DOCKED_SELECTOR = ".save-bar:not([hidden]), .preview-sheet, .ui-toast";

const DIALOG_BUTTONS_SELECTOR = ".actions";

/** Elements to scroll into view: browsers don't scroll to an element that only a docked element covers. */
const FOCUSED_INPUT_SELECTOR =
  "input:not([type=radio], [type=checkbox], [type=file], [type=color]), textarea, select, [contenteditable=true], :focus-visible";

const LONG_INPUT_SELECTOR = "textarea, [contenteditable=true]";

const FIELD_MARGIN_PX = 12;

/**
 * Sets heights in pixels: `--keyboard` of a phone's keyboard, `--save-bar`, and `--docked` of everything that covers
 * the bottom of the page. Scrolls the focused field out of the covered area. Returns a function that stops this.
 */
export function startFocusScrolling(): () => void {
  const abortController = new AbortController();
  const { signal } = abortController;
  const resizeObserver = new ResizeObserver(updateDocked);
  const mutationObserver = new MutationObserver(() => requestAnimationFrame(updateDocked));
  window.visualViewport?.addEventListener("resize", updateDocked, { signal });
  window.visualViewport?.addEventListener("scroll", updateDocked, { signal });
  // These containers hold the save bar and the toasts. When a dialog opens, the toasts' container moves into it.
  const observeContainers = () => {
    for (const container of document.querySelectorAll(".save-bar-dock, .ui-toasts > div")) {
      resizeObserver.observe(container);
      mutationObserver.observe(container, {
        childList: true,
        subtree: true,
        attributeFilter: ["hidden"],
      });
    }
    // Content that is loaded late, such as the tiles of an image picker, moves the fields below it.
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

/** Returns 0 while the page is zoomed, since zooming makes the visual viewport smaller too. */
function measureKeyboardHeight(): number {
  const viewport = window.visualViewport;
  if (!viewport || viewport.scale > 1.01) return 0;
  return Math.round(Math.max(0, window.innerHeight - viewport.height - viewport.offsetTop));
}

/** Returns the top edge of the docked elements or the keyboard, in pixels from the top of the window. */
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
  // Browsers themselves scroll the cursor of a long text into view.
  if (overlap <= 0 || top < 0 || (height > edge / 2 && field.matches(LONG_INPUT_SELECTOR))) return;
  findScroller(field)?.scrollBy({ top: overlap });
}

/** Returns the top of the dialog's buttons that follow the field. Infinity without such buttons. */
function findButtonsEdge(field: Element): number {
  const buttons = field.closest(".ui-dialog")?.querySelectorAll(DIALOG_BUTTONS_SELECTOR) ?? [];
  const followingButtons = [...buttons].filter(
    (each) => field.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING,
  );
  return Math.min(...followingButtons.map((each) => each.getBoundingClientRect().top));
}

/** Returns what scrolls the field: an ancestor or the window. Null in a dialog that doesn't scroll. */
function findScroller(field: Element): Element | Window | null {
  for (let ancestor = field.parentElement; ancestor; ancestor = ancestor.parentElement) {
    const isScrollable = /auto|scroll/.test(getComputedStyle(ancestor).overflowY);
    if (isScrollable && ancestor.scrollHeight > ancestor.clientHeight && ancestor !== document.body)
      return ancestor;
  }
  return field.closest("dialog") ? null : window;
}
