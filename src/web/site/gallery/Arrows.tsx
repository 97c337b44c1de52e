/** The two round arrows of the carousel, which inline/carousel.ts follows. */

export function Arrows() {
  return (
    <>
      <button type="button" className="arrow" aria-label="Previous">
        <Chevron path="m10 3-5 5 5 5" />
      </button>
      <button type="button" className="arrow" aria-label="Next">
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
