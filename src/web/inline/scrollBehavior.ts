/** Returns "smooth", unless the visitor prefers reduced motion. */
export function getScrollBehavior(): ScrollBehavior {
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
}
