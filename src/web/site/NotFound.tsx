/** The page for unknown paths. */
import { Link } from "@tanstack/react-router";
import { useWords } from "../words/siteWords.ts";
import { Announcement } from "./extras/Announcement.tsx";
import { Navigation } from "./Navigation.tsx";
import { NotFoundStyles } from "./parts/NotFoundStyles.tsx";

/** Matches all other paths; the server sends it with 404. */
export function NotFound() {
  const { words, lang } = useWords();
  return (
    <>
      <NotFoundStyles />
      <Navigation />
      <main id="main" className="page not-found">
        <Announcement />
        <article className="card" lang={lang}>
          <h1 className="title">{words.notFound.title}</h1>
          <p>{words.notFound.text}</p>
          <Link to="/" className="button">
            {words.goHome}
          </Link>
        </article>
      </main>
    </>
  );
}
