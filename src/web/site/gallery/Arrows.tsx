/** The two round arrows of the carousel and of the large picture. */

/** `onMove` is called with 1 for onwards and -1 for back; `focused` is where a dialog puts focus first. */
export interface ArrowsProps {
  readonly onMove?: (by: 1 | -1) => void;
  readonly focused?: "next";
}

export function Arrows({ onMove, focused }: ArrowsProps) {
  return (
    <>
      <button
        type="button"
        className="arrow"
        aria-label="Previous"
        onClick={onMove && (() => onMove(-1))}
      >
        <Chevron path="m10 3-5 5 5 5" />
      </button>
      <button
        type="button"
        className="arrow"
        aria-label="Next"
        data-autofocus={focused === "next" ? "" : undefined}
        onClick={onMove && (() => onMove(1))}
      >
        <Chevron path="m6 3 5 5-5 5" />
      </button>
    </>
  );
}

function Chevron({ path }: { path: string }) {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" fill="none">
      <path d={path} stroke="currentColor" strokeWidth="1.75" />
    </svg>
  );
}
