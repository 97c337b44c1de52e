/** The public page of a site that has no owner yet. */

import { NotFoundStyles } from "./parts/NotFoundStyles.tsx";

/** In English, since no language has been chosen either. */
export const COMING_SOON = "Coming soon";

/** Styled like the 404 page, without a name or a link to an empty home page. */
export function ComingSoon() {
  return (
    <>
      <NotFoundStyles />
      <main id="main" className="page not-found">
        <article className="card" lang="en">
          <h1 className="title">{COMING_SOON}</h1>
        </article>
      </main>
    </>
  );
}
