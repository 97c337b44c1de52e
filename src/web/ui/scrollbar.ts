/** The page behind a dialog does not scroll (Dialog.css); where its scrollbar took room nothing may jump. */
export function keepScrollbarsRoom(): void {
  const { clientWidth, style } = document.documentElement;
  style.scrollbarGutter = window.innerWidth > clientWidth ? "stable" : "";
}
