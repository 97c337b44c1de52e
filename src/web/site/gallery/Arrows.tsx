/** The tip of an arrow. */

/** Shows it pointing left or right, in the color of the words around it. */
export function Chevron({ to }: { to: "left" | "right" }) {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" fill="none">
      <path
        d={to === "left" ? "m10 3-5 5 5 5" : "m6 3 5 5-5 5"}
        stroke="currentColor"
        strokeWidth="1.75"
      />
    </svg>
  );
}
