/**
 * Reserves the width of the page's scrollbar. The page behind a dialog has none (Dialog.css), and would move without
 * it.
 */
export function reserveScrollbarSpace(): void {
  const { clientWidth, style } = document.documentElement;
  style.scrollbarGutter = window.innerWidth > clientWidth ? "stable" : "";
}
