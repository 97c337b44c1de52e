/** What stands in for the home page while its content is on the way. */
import { Navigation } from "./Navigation.tsx";

/** Connect's links while they load (specification, section 9.2). */
const SKELETON_BLOCKS = 6;

/** The hero's color and nothing else, and six blocks where the links will be. */
export function HomePending() {
  return (
    <>
      <Navigation />
      <main id="main" className="page">
        <section className="hero" data-state="loading" aria-label="Loading" />
        <section className="section connect">
          <ul className="platforms" aria-hidden="true">
            {Array.from({ length: SKELETON_BLOCKS }, (_, at) => (
              <li key={at} className="platform-skeleton" />
            ))}
          </ul>
        </section>
      </main>
    </>
  );
}
