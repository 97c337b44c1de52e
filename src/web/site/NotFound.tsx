/** Pages that consist of one message: an unknown path, a closed form, a failure, a site without an owner. */
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { VISITOR_REFUSALS } from "../../schema/core/refusals.ts";
import { usePageContext } from "../shared/pageContext.ts";
import { translateRefusalMessage } from "../words/allWords.ts";
import { useWords } from "../words/siteWords.ts";
import { Announcement } from "./extras/Announcement.tsx";
import { Navigation } from "./Navigation.tsx";

/** The page of all unknown paths, which the server sends with status 404. */
export function NotFound() {
  const { words, lang } = useWords();
  return (
    <MessagePage
      navigation={<Navigation />}
      hasAnnouncement
      title={words.notFound.title}
      lang={lang}
    >
      <p>{words.notFound.text}</p>
      <Link to="/" className="button">
        {words.goHome}
      </Link>
    </MessagePage>
  );
}

const LAST_PARAGRAPH_STYLE = { marginBottom: 0 };

/** The page in place of a form that is no longer active. */
export function FormClosed() {
  const siteWords = useWords();
  const title = translateRefusalMessage(siteWords, VISITOR_REFUSALS.formClosed);
  return (
    <MessagePage navigation={<Navigation />} hasAnnouncement title={title} lang={siteWords.lang}>
      <p style={LAST_PARAGRAPH_STYLE}>
        <Link to="/" className="button">
          {siteWords.words.goHome}
        </Link>
      </p>
    </MessagePage>
  );
}

/** The router's error page when content fails to load, with a button to try again. */
export function PageFailed() {
  const { words, lang } = useWords();
  return (
    <MessagePage
      navigation={<Navigation />}
      title={words.failed.pageTitle}
      lang={lang}
      role="alert"
    >
      <p>{words.failed.text}</p>
      <form>
        <button className="button">{words.failed.retry}</button>
      </form>
    </MessagePage>
  );
}

/** The title of a site without an owner, in English, since nobody has chosen a language yet. */
export const COMING_SOON = "Coming soon";

/** The page of a site without an owner, without a link to the empty home page. */
export const ComingSoon = () => <MessagePage title={COMING_SOON} lang="en" />;

interface MessagePageProps {
  readonly navigation?: ReactNode;
  readonly hasAnnouncement?: true;
  readonly title: string;
  readonly lang: string | undefined;
  readonly role?: "alert";
  readonly children?: ReactNode;
}

/** Renders a page with one message. It has its own style sheet, since most visitors never see such a page. */
function MessagePage({ navigation, hasAnnouncement, title, children, ...card }: MessagePageProps) {
  const { assets } = usePageContext();
  return (
    <>
      <link rel="stylesheet" href={assets.notFoundStyles} />
      {navigation}
      <main id="main" className="page not-found">
        {hasAnnouncement && <Announcement />}
        <article className="card" {...card}>
          <h1 className="title">{title}</h1>
          {children}
        </article>
      </main>
    </>
  );
}
