/** Keeps elements docked at the bottom of the screen from covering the focused field. */

/** From the bottom up: the save bar, the preview's sheet, the toast. */
const DOCKED = ".save-bar:not([hidden]), .preview-sheet, .ui-toast";

/** A dialog's docked buttons, over its scrolling content. */
const DIALOG_BUTTONS = ".actions";

/**
 * Text inputs, and whatever the keyboard focuses: browsers leave those under docked elements while they are in the
 * window.
 */
const IN_USE =
  "input:not([type=radio], [type=checkbox], [type=file], [type=color]), textarea, select, [contenteditable=true], :focus-visible";

/** Inputs for long text. */
const LONG = "textarea, [contenteditable=true]";

/** Space between a field and docked elements, in CSS pixels. */
const GAP = 12;

/**
 * Sets `--keyboard` (how much of the page a phone's keyboard covers) and `--docked` (how much docked elements cover
 * above it) for the stylesheets, and scrolls the focused field out from under them. Returns a function that stops.
 */
export function scrollFocusIntoView(): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const sizes = new ResizeObserver(updateDocked);
  const mutations = new MutationObserver(() => requestAnimationFrame(updateDocked));
  window.visualViewport?.addEventListener("resize", updateDocked, { signal });
  window.visualViewport?.addEventListener("scroll", updateDocked, { signal });
  // Bar, sheet and toast appear in these; the toasts' container moves into dialogs and out.
  const watch = () => {
    for (const container of document.querySelectorAll(".save-bar-dock, .ui-toasts > div")) {
      sizes.observe(container);
      mutations.observe(container, { childList: true, subtree: true, attributeFilter: ["hidden"] });
    }
    // Content loaded late in a dialog, such as pictures to choose from, moves what is below.
    const panel = document.activeElement?.closest(".ui-dialog-panel");
    if (panel) sizes.observe(panel);
    requestAnimationFrame(updateDocked);
  };
  document.addEventListener("focusin", watch, { signal });
  watch();
  updateDocked();
  return () => {
    ended.abort();
    sizes.disconnect();
    mutations.disconnect();
  };
}

function updateDocked(): void {
  const { style } = document.documentElement;
  style.setProperty("--keyboard", `${keyboardHeight()}px`);
  const edge = dockedEdge();
  style.setProperty("--docked", `${Math.round(Math.max(0, window.innerHeight - edge))}px`);
  clear(edge);
}

/** Zooming also shrinks the visible part, but needs no room. */
function keyboardHeight(): number {
  const view = window.visualViewport;
  if (!view || view.scale > 1.01) return 0;
  return Math.round(Math.max(0, window.innerHeight - view.height - view.offsetTop));
}

/** The top edge of all docked elements, in the window. */
function dockedEdge(): number {
  const boxes = [...document.querySelectorAll(DOCKED)].map((each) => each.getBoundingClientRect());
  const shown = boxes.filter(({ height }) => height > 0);
  return Math.min(window.innerHeight - keyboardHeight(), ...shown.map(({ top }) => top));
}

function clear(edge: number): void {
  const field = document.activeElement;
  if (!field?.matches(IN_USE) || field.closest(DOCKED)) return;
  const { top, bottom, height } = field.getBoundingClientRect();
  const covered = bottom + GAP - Math.min(edge, buttonsEdge(field));
  // In a long text the browser scrolls the cursor into view.
  if (covered <= 0 || top < 0 || (height > edge / 2 && field.matches(LONG))) return;
  scrollerOf(field)?.scrollBy({ top: covered });
}

/** The top edge of docked buttons below a field in a dialog. */
function buttonsEdge(field: Element): number {
  const buttons = field.closest(".ui-dialog")?.querySelectorAll(DIALOG_BUTTONS) ?? [];
  const below = [...buttons].filter(
    (each) => field.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING,
  );
  return Math.min(...below.map((each) => each.getBoundingClientRect().top));
}

/** The scroll container of a field: a dialog or the page, but never the page behind a dialog. */
function scrollerOf(field: Element): Element | Window | null {
  for (let each = field.parentElement; each; each = each.parentElement) {
    const scrolls = /auto|scroll/.test(getComputedStyle(each).overflowY);
    if (scrolls && each.scrollHeight > each.clientHeight && each !== document.body) return each;
  }
  return field.closest("dialog") ? null : window;
}
