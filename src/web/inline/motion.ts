/** Returns "smooth", unless the visitor prefers reduced motion. */
export function preferredScrollBehavior(): ScrollBehavior {
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
}
