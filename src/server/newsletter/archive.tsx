/** Letters as pages of the site: the list at /letters, each at /letters/{id}; only those that the owner published. */
import { Elysia } from "elysia";
import type { ReactNode } from "react";
import { entities } from "../../schema/index.ts";
import { completeUrl, safeUrl } from "../../schema/core/safeUrl.ts";
import { formatDayInLanguage, getWords } from "../../web/words/all.ts";
import type { SiteWords } from "../../web/words/siteWords.ts";
import type { PageSite } from "../shared/pageSite.ts";
import { rewritePictureOrigin } from "../shared/pictureOrigin.ts";
import type { LettersContext } from "./context.ts";
import { createPlainPage } from "../shared/plainPage.tsx";
import { type Letter, removeForeignPictures, fillName } from "./renderLetter.ts";

interface ArchiveContext extends Pick<LettersContext, "store"> {
  readonly site: () => PageSite;
  /** Sanitizes rich text again before it is shown. */
  readonly cleanHtml: (html: string) => string;
}

/** The most letters in the list, newest first. */
const MAX_LISTED_LETTERS = 200;

/** GET `/letters`, `/letters/{id}`; 404 while the archive is off, and for every other letter. */
export function letterArchiveRoutes({ store, site: siteNow, cleanHtml }: ArchiveContext) {
  const letters = store.of(entities.letters);
  const isOn = () => store.of(entities.letterSettings).read().value.archive;
  const nothing = () => {
    const site = siteNow();
    const { words, lang } = getWords(site.language);
    const text = <p lang={lang}>{words.refusals.notFound}</p>;
    return renderPage(site, words.notFound.title, text, 404);
  };
  return new Elysia({ name: "letter-archive" })
    .get("/letters", async () => {
      if (!isOn()) return nothing();
      const { items } = await letters.page({
        where: { state: "sent", isPublic: true },
        newestFirst: true,
        offset: 0,
        limit: MAX_LISTED_LETTERS,
      });
      const site = siteNow();
      const translation = getWords(site.language);
      return renderPage(
        site,
        translation.words.letters.title,
        <LetterList letters={items} translation={translation} />,
      );
    })
    .get("/letters/:id", async ({ params: { id } }) => {
      const letter = isOn() ? await letters.get(id) : undefined;
      if (letter?.state !== "sent" || !letter.isPublic) return nothing();
      const site = siteNow();
      const body = cleanHtml(
        removeForeignPictures(fillName(letter.body, null), site.siteUrl ?? ""),
      );
      const html = rewritePictureOrigin(body, site.pictureOrigin);
      return renderPage(
        site,
        fillName(letter.subject, null),
        <LetterPage {...{ letter, html, translation: getWords(site.language) }} />,
      );
    });
}

interface LetterListProps {
  readonly letters: readonly Letter[];
  readonly translation: SiteWords;
}

function LetterList({ letters, translation }: LetterListProps) {
  if (letters.length === 0)
    return <p lang={translation.lang}>{translation.words.letters.noLetters}</p>;
  return (
    <ul className="letters">
      {letters.map(({ id, subject, finishedAt }) => (
        <li key={id}>
          <a href={`/letters/${id}`} dir="auto">
            {fillName(subject, null)}
          </a>
          <LetterDay timestamp={finishedAt} translation={translation} />
        </li>
      ))}
    </ul>
  );
}

interface LetterPageProps {
  readonly letter: Letter;
  readonly html: string;
  readonly translation: SiteWords;
}

function LetterPage({ letter, html, translation }: LetterPageProps) {
  const { buttonText, buttonLink, finishedAt } = letter;
  const address = buttonLink === null ? undefined : safeUrl(completeUrl(buttonLink));
  return (
    <>
      <LetterDay timestamp={finishedAt} translation={translation} />
      <div className="words" dir="auto" dangerouslySetInnerHTML={{ __html: html }} />
      {buttonText !== "" && address && (
        <p>
          <a className="button" href={address}>
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

function LetterDay({
  timestamp,
  translation,
}: {
  readonly timestamp: string | null;
  readonly translation: SiteWords;
}) {
  return (
    timestamp && (
      <time dateTime={timestamp.slice(0, 10)} lang={translation.lang}>
        {formatDayInLanguage(translation, timestamp)}
      </time>
    )
  );
}

function renderPage(site: PageSite, title: string, content: ReactNode, status = 200): Response {
  const translation = getWords(site.language);
  return createPlainPage(site, {
    title,
    language: site.language,
    status,
    style: ARCHIVE_STYLE,
    isPublic: true,
    body: content,
    footer: (
      <a href="/privacy-policy" lang={translation.lang}>
        {translation.words.footer.privacyPolicy}
      </a>
    ),
  });
}

const ARCHIVE_STYLE = `
time { color: var(--quiet); font-size: 0.9375rem; }
.words { margin: 16px 0; }
.words img { display: block; max-width: 100%; height: auto; border-radius: min(var(--picture-radius), 24px); }
.letters { margin: 16px 0 0; padding: 0; list-style: none; }
.letters li { display: grid; padding: 10px 0; }
.letters a { padding: 4px 0; font-weight: 600; }
`;
