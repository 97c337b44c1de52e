/**
 * The page behind a dialog doesn't scroll (Dialog.css); this reserves its scrollbar's width, so that nothing
 * jumps.
 */
export function reserveScrollbarSpace(): void {
  const { clientWidth, style } = document.documentElement;
  style.scrollbarGutter = window.innerWidth > clientWidth ? "stable" : "";
}
