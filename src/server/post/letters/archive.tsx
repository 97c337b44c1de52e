/** Letters as pages of the site: the list at /letters, each at /letters/{id}; only those that the owner has put there. */
import { Elysia } from "elysia";
import type { ReactNode } from "react";
import { entities } from "../../../schema/index.ts";
import { safeUrl } from "../../../schema/safeUrl.ts";
import type { Stationery } from "../../shared/message.ts";
import { picturesElsewhere } from "../../shared/picturesElsewhere.ts";
import type { LettersContext } from "./context.ts";
import { plainPage } from "./plainPage.tsx";
import { type Letter, ownPictures, withName } from "./writeLetter.ts";

interface ArchiveContext extends Pick<LettersContext, "store" | "mail"> {
  /** Cleans rich text once more before it is shown. */
  readonly cleanHtml: (html: string) => string;
}

/** The most that the list shows, newest first. */
const MOST = 200;

/** GET `/letters`, `/letters/{id}`; 404 while the archive is off, and for every other letter. */
export function letterArchive({ store, mail, cleanHtml }: ArchiveContext) {
  const letters = store.of(entities.letters);
  const isOn = () => store.of(entities.letterSettings).read().value.archive;
  const nothing = () =>
    pageOf(mail.stationery(), "404 Page Not Found", <p>There is nothing at this address.</p>, 404);
  return new Elysia({ name: "letter-archive" })
    .get("/letters", async () => {
      if (!isOn()) return nothing();
      const { items } = await letters.page({
        where: { state: "sent", isPublic: true },
        newestFirst: true,
        offset: 0,
        limit: MOST,
      });
      const site = mail.stationery();
      return pageOf(site, "Letters", <LetterList letters={items} />);
    })
    .get("/letters/:id", async ({ params: { id } }) => {
      const letter = isOn() ? await letters.get(id) : undefined;
      if (letter?.state !== "sent" || !letter.isPublic) return nothing();
      const site = mail.stationery();
      const words = cleanHtml(ownPictures(withName(letter.body, null), site.siteUrl ?? ""));
      const html = picturesElsewhere(words, site.picturesFrom);
      return pageOf(site, withName(letter.subject, null), <LetterPage {...{ letter, html }} />);
    });
}

function LetterList({ letters }: { readonly letters: readonly Letter[] }) {
  if (letters.length === 0) return <p>There are no letters here yet.</p>;
  return (
    <ul className="letters">
      {letters.map(({ id, subject, finishedAt }) => (
        <li key={id}>
          <a href={`/letters/${id}`} dir="auto">
            {withName(subject, null)}
          </a>
          <Day moment={finishedAt} />
        </li>
      ))}
    </ul>
  );
}

function LetterPage({ letter, html }: { readonly letter: Letter; readonly html: string }) {
  const { buttonText, buttonLink, finishedAt } = letter;
  const address = buttonLink === null ? undefined : safeUrl(buttonLink);
  return (
    <>
      <Day moment={finishedAt} />
      <div className="words" dir="auto" dangerouslySetInnerHTML={{ __html: html }} />
      {buttonText !== "" && address && (
        <p>
          <a className="button" href={address}>
            {buttonText}
          </a>
        </p>
      )}
      <p>
        <a href="/letters">All letters</a>
      </p>
    </>
  );
}

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric" });

function Day({ moment }: { readonly moment: string | null }) {
  return moment && <time dateTime={moment.slice(0, 10)}>{DAY.format(new Date(moment))}</time>;
}

function pageOf(site: Stationery, title: string, content: ReactNode, status = 200): Response {
  return plainPage(site, {
    title,
    language: site.language,
    status,
    style: styleOf(site),
    allows: `img-src ${["'self'", site.picturesFrom].filter(Boolean).join(" ")}; style-src-attr 'unsafe-inline'; form-action 'none'`,
    headers: { "cache-control": "no-cache" },
    body: (
      <>
        <header>
          <a href="/" dir="auto">
            {site.siteName}
          </a>
        </header>
        <main>
          <h1 dir="auto">{title}</h1>
          {content}
        </main>
        <footer>
          <a href="/privacy-policy">Privacy Policy</a>
        </footer>
      </>
    ),
  });
}

const styleOf = ({ color, onColor }: Stationery) => `
body { max-width: 42rem; margin: 0 auto; padding: 16px; font: 17px/1.6 system-ui, sans-serif; }
a { color: var(--link); }
header a, footer a { display: inline-block; min-height: 44px; padding: 10px 0; color: var(--quiet); }
main { border-top: 4px solid ${color}; }
h1 { margin: 0 0 8px; font-size: 28px; }
time { color: var(--quiet); font-size: 14px; }
.words { margin: 16px 0; }
.words img { display: block; max-width: 100%; height: auto; border-radius: 6px; }
.letters { margin: 16px 0 0; padding: 0; list-style: none; }
.letters li { display: grid; padding: 10px 0; }
.letters a { padding: 4px 0; font-weight: 600; }
.button { display: inline-block; padding: 12px 22px; border-radius: 8px; background: ${color}; color: ${onColor}; font-weight: 600; text-decoration: none; }
`;
