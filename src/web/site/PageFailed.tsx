/** Shown instead of a page that failed. */
import { useWords } from "../words/siteWords.ts";
import { Navigation } from "./Navigation.tsx";
import { NotFoundStyles } from "./parts/NotFoundStyles.tsx";

/** The router's error page when content fails to load, with a button to try again. */
export function PageFailed() {
  const { words, lang } = useWords();
  return (
    <>
      <NotFoundStyles />
      <Navigation />
      <main id="main" className="page not-found">
        <article className="card" role="alert" lang={lang}>
          <h1 className="title">{words.failed.page}</h1>
          <p>{words.failed.text}</p>
          <form>
            <button className="button">{words.failed.retry}</button>
          </form>
        </article>
      </main>
    </>
  );
}
