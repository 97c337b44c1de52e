/** What the world sees of a site that has no owner yet. */

/** In English, since nobody has chosen a language either. */
export const COMING_SOON = "Coming soon";

/** On the stage of the page that is not there: without a name, and without a link to a page that has none to say. */
export function ComingSoon() {
  return (
    <main id="main" className="page not-found">
      <article className="card" lang="en">
        <h1 className="title">{COMING_SOON}</h1>
      </article>
    </main>
  );
}
