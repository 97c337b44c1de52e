/** Stands in the place of a page that could not be shown. */
import { useWords } from "../words/siteWords.ts";
import { Navigation } from "./Navigation.tsx";

/** Shown by the router when a page's content doesn't come, with a way to try again. */
export function PageFailed() {
  const { words, lang } = useWords();
  return (
    <>
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
