/** The pages of published letters: a list at /letters, and each letter at /letters/{id}. */
import { Elysia } from "elysia";
import type { ReactNode } from "react";
import { entities } from "../../schema/index.ts";
import { completeUrl, toSafeUrl } from "../../schema/core/safeUrl.ts";
import { formatDayInLanguage, getWords } from "../../web/words/allWords.ts";
import type { SiteWords } from "../../web/words/siteWords.ts";
import { type PageBranding, createPlainPage } from "../shared/plainPage.tsx";
import { rewritePictureOrigin } from "../shared/pictureOrigin.ts";
import type { LettersContext } from "./context.ts";
import { type Letter, removeForeignPictures, fillName } from "./renderLetter.ts";

interface ArchiveContext extends Pick<LettersContext, "store"> {
  readonly getSite: () => PageBranding;
  /** Sanitizes rich text again when it is shown. */
  readonly cleanHtml: (html: string) => string;
}

const MAX_LISTED_LETTERS = 200;

/** GET `/letters` and `/letters/{id}`. Both are a 404 while the archive is off. */
export function createLetterArchiveRoutes({ store, getSite, cleanHtml }: ArchiveContext) {
  const letters = store.of(entities.letters);
  const isArchiveEnabled = () => store.of(entities.letterSettings).read().value.archive;
  return new Elysia({ name: "letter-archive" })
    .get("/letters", async () => {
      if (!isArchiveEnabled()) return renderNotFound(getSite());
      const { items } = await letters.readPage({
        where: { state: "sent", isPublic: true },
        newestFirst: true,
        offset: 0,
        limit: MAX_LISTED_LETTERS,
      });
      const translation = getWords(getSite().language);
      const { title } = translation.words.letters;
      return renderPage(getSite(), title, renderList(items, translation));
    })
    .get("/letters/:id", async ({ params: { id } }) => {
      const letter = isArchiveEnabled() ? await letters.get(id) : undefined;
      if (letter?.state !== "sent" || !letter.isPublic) return renderNotFound(getSite());
      const { siteUrl = "", pictureOrigin, language } = getSite();
      const body = cleanHtml(removeForeignPictures(fillName(letter.body, null), siteUrl));
      const html = rewritePictureOrigin(body, pictureOrigin);
      const content = renderLetter(letter, html, getWords(language));
      return renderPage(getSite(), fillName(letter.subject, null), content);
    });
}

function renderNotFound(site: PageBranding): Response {
  const { words, lang } = getWords(site.language);
  const text = <p lang={lang}>{words.refusals.notFound}</p>;
  return renderPage(site, words.notFound.title, text, 404);
}

function renderList(letters: readonly Letter[], translation: SiteWords) {
  if (letters.length === 0)
    return <p lang={translation.lang}>{translation.words.letters.noLetters}</p>;
  return (
    <ul className="letters">
      {letters.map(({ id, subject, finishedAt }) => (
        <li key={id}>
          <a href={`/letters/${id}`} dir="auto">
            {fillName(subject, null)}
          </a>
          {renderDay(finishedAt, translation)}
        </li>
      ))}
    </ul>
  );
}

function renderLetter(letter: Letter, html: string, translation: SiteWords) {
  const { buttonText, buttonLink, finishedAt } = letter;
  const url = buttonLink === null ? undefined : toSafeUrl(completeUrl(buttonLink));
  return (
    <>
      {renderDay(finishedAt, translation)}
      <div className="prose" dir="auto" dangerouslySetInnerHTML={{ __html: html }} />
      {buttonText !== "" && url && (
        <p>
          <a className="button" href={url}>
            {buttonText}
          </a>
        </p>
      )}
      <p lang={translation.lang}>
        <a href="/letters">{translation.words.letters.allLetters}</a>
      </p>
    </>
  );
}

const renderDay = (timestamp: string | null, translation: SiteWords) =>
  timestamp && (
    <time dateTime={timestamp.slice(0, 10)} lang={translation.lang}>
      {formatDayInLanguage(translation, timestamp)}
    </time>
  );

function renderPage(site: PageBranding, title: string, body: ReactNode, status = 200): Response {
  const { language } = site;
  const { lang, words } = getWords(language);
  const footer = (
    <a href="/privacy-policy" lang={lang}>
      {words.footer.privacyPolicy}
    </a>
  );
  const style = ARCHIVE_STYLE;
  return createPlainPage(site, { title, language, status, style, isPublic: true, body, footer });
}

const ARCHIVE_STYLE = `
time { color: var(--quiet); font-size: 0.9375rem; }
.prose { margin: 16px 0; }
.prose img { display: block; max-width: 100%; height: auto; border-radius: min(var(--picture-radius), 24px); }
.letters { margin: 16px 0 0; padding: 0; list-style: none; }
.letters li { display: grid; padding: 10px 0; }
.letters a { padding: 4px 0; font-weight: 600; }
`;
