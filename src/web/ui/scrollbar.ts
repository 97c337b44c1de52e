/** Reserves the scrollbar's width, so that content doesn't move when a dialog hides the scrollbar (Dialog.css). */
export function reserveScrollbarSpace(): void {
  const { clientWidth, style } = document.documentElement;
  style.scrollbarGutter = window.innerWidth > clientWidth ? "stable" : "";
}
