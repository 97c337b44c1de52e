/** The page behind a dialog doesn't scroll (Dialog.css). Reserving its scrollbar's width prevents a layout shift. */
export function reserveScrollbarSpace(): void {
  const { clientWidth, style } = document.documentElement;
  style.scrollbarGutter = window.innerWidth > clientWidth ? "stable" : "";
}
