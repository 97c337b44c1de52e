/** What is docked at the foot of the screen, and the field that has the focus: the one never covers the other. */

/** What stands there, from below: the save bar, the preview's sheet, the toast. */
const DOCKED = ".save-bar:not([hidden]), .preview-sheet, .ui-toast";

/** Docked within a dialog: its buttons, over what scrolls there. */
const DIALOG_BUTTONS = ":is(.dialog-actions, .item-actions)";

/**
 * What is typed into, and whatever the keyboard has come to: browsers leave that under what is docked as long as it
 * is in the window.
 */
const IN_USE =
  "input:not([type=radio], [type=checkbox], [type=file], [type=color]), textarea, select, [contenteditable=true], :focus-visible";

/** What is written in, as long as it may be. */
const LONG = "textarea, [contenteditable=true]";

/** Room between a field and what is docked, in CSS pixels. */
const GAP = 12;

/**
 * Keeps `--keyboard` (how much of the page a phone's keyboard covers) and `--docked` (how much what is
 * docked covers above it) on the page for the styles, and scrolls the field in focus out from under
 * them. Returns how to end that.
 */
export function keepFocusInSight(): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const sizes = new ResizeObserver(look);
  const places = new MutationObserver(() => requestAnimationFrame(look));
  window.visualViewport?.addEventListener("resize", look, { signal });
  window.visualViewport?.addEventListener("scroll", look, { signal });
  // The bar, the sheet and the toast come and go in these; the toasts' own place moves into dialogs and out.
  const watch = () => {
    for (const place of document.querySelectorAll(".save-bar-place, .ui-toasts > div")) {
      sizes.observe(place);
      places.observe(place, { childList: true, subtree: true, attributeFilter: ["hidden"] });
    }
    // What comes late into a dialog, such as the pictures to choose from, moves what stands below it.
    const panel = document.activeElement?.closest(".ui-dialog-panel");
    if (panel) sizes.observe(panel);
    requestAnimationFrame(look);
  };
  document.addEventListener("focusin", watch, { signal });
  watch();
  look();
  return () => {
    ended.abort();
    sizes.disconnect();
    places.disconnect();
  };
}

function look(): void {
  const { style } = document.documentElement;
  style.setProperty("--keyboard", `${keyboardHeight()}px`);
  const edge = dockedEdge();
  style.setProperty("--docked", `${Math.round(Math.max(0, window.innerHeight - edge))}px`);
  clear(edge);
}

/** A page that is zoomed into shows less of itself too, and needs no room for that. */
function keyboardHeight(): number {
  const view = window.visualViewport;
  if (!view || view.scale > 1.01) return 0;
  return Math.round(Math.max(0, window.innerHeight - view.height - view.offsetTop));
}

/** The upper edge of all that is docked, in the window. */
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
  // A long text is in sight where it is typed: the browser takes care of that.
  if (covered <= 0 || top < 0 || (height > edge / 2 && field.matches(LONG))) return;
  scrollerOf(field)?.scrollBy({ top: covered });
}

/** The upper edge of the buttons that are docked below a field in a dialog. */
function buttonsEdge(field: Element): number {
  const buttons = field.closest(".ui-dialog")?.querySelectorAll(DIALOG_BUTTONS) ?? [];
  const below = [...buttons].filter(
    (each) => field.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING,
  );
  return Math.min(...below.map((each) => each.getBoundingClientRect().top));
}

/** What scrolls around a field: a dialog, or the page, but never the page behind a dialog. */
function scrollerOf(field: Element): Element | Window | null {
  for (let each = field.parentElement; each; each = each.parentElement) {
    const scrolls = /auto|scroll/.test(getComputedStyle(each).overflowY);
    if (scrolls && each.scrollHeight > each.clientHeight && each !== document.body) return each;
  }
  return field.closest("dialog") ? null : window;
}
