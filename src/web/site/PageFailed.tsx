/** Stands in the place of a page that could not be shown. */
import { Navigation } from "./Navigation.tsx";

/** Shown by the router when a page's content doesn't come, with a way to try again. */
export function PageFailed() {
  return (
    <>
      <Navigation />
      <main id="main" className="page not-found">
        <article className="card" role="alert">
          <h1 className="title">This page couldn't be loaded</h1>
          <p>Check your connection, then try again.</p>
          <form>
            <button className="button">Retry</button>
          </form>
        </article>
      </main>
    </>
  );
}
