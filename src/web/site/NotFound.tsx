/** The page for addresses that lead nowhere. */
import { Link } from "@tanstack/react-router";
import { Navigation } from "./Navigation.tsx";

/** The page for any path that is no other's; the server sends it with 404. */
export function NotFound() {
  return (
    <>
      <Navigation />
      <main id="main" className="page not-found">
        <article className="card">
          <h1 className="title">404 Page Not Found</h1>
          <p>There is nothing at this address. It may have moved, or the link may be misspelled.</p>
          <Link to="/" className="button">
            Go to the home page
          </Link>
        </article>
      </main>
    </>
  );
}
