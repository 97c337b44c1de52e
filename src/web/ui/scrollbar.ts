/**
 * Reserves the width of the page's scrollbar. While a dialog is open, the page has no scrollbar (Dialog.css), and
 * without the reserved width its content would move.
 */
export function reserveScrollbarSpace(): void {
  const { clientWidth, style } = document.documentElement;
  style.scrollbarGutter = window.innerWidth > clientWidth ? "stable" : "";
}
