/** The two round arrows of the carousel, which inline/carousel.ts follows. */
import { ARROWS } from "../../ui/arrows.ts";

/** Back and forth; nothing of theirs runs here, so that they work on a page that doesn't live. */
export function Arrows() {
  return ARROWS.map(({ name, path }) => (
    <button key={name} type="button" className="arrow" aria-label={name}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" fill="none">
        <path d={path} stroke="currentColor" strokeWidth="1.75" />
      </svg>
    </button>
  ));
}
