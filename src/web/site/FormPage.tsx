/** The page of a form with its own path. */
import { Link } from "@tanstack/react-router";
import type { EnquiryTree, NoScriptState } from "../../schema/enquiry/enquiry.ts";
import { VISITOR_REFUSALS } from "../../schema/core/refusals.ts";
import { safePictureUrl } from "../../schema/core/safeUrl.ts";
import { type LoadedPage, valueOf } from "../shared/content.ts";
import { useShell } from "../shared/shell.ts";
import { refusalIn } from "../words/all.ts";
import { useWords } from "../words/siteWords.ts";
import { CoachPortrait } from "./enquiry/CoachPortrait.tsx";
import { EnquirySection } from "./enquiry/EnquirySection.tsx";
import { Announcement } from "./extras/Announcement.tsx";
import { Footer } from "./Footer.tsx";
import { Navigation } from "./Navigation.tsx";
import { NotFound } from "./NotFound.tsx";
import { NotFoundStyles } from "./parts/NotFoundStyles.tsx";

/** The route's data: the active form at `path`, or whether an inactive one exists. */
export interface FormAtPath extends LoadedPage {
  readonly path: string;
  readonly enquiry: EnquiryTree | null;
  readonly isClosed: boolean;
  /** The result of a post without scripts. */
  readonly plain: NoScriptState | null;
}

export function FormPage({ path, enquiry, isClosed, plain, content, pictures }: FormAtPath) {
  const { assets } = useShell();
  if (enquiry === null) return isClosed ? <Closed /> : <NotFound />;
  const face = safePictureUrl(valueOf(content, "about").image);
  return (
    <>
      <Navigation />
      <main id="main" className="page">
        <Announcement />
        <EnquirySection
          enquiry={enquiry}
          plain={plain}
          script={assets.enquiryScript}
          page={path}
          portrait={face && <CoachPortrait src={face} pictures={pictures} />}
        />
      </main>
      <Footer credit="designedBy" />
    </>
  );
}

/** It is the last element. */
const LAST = { marginBottom: 0 };

/** Styled like the 404 page. */
function Closed() {
  const translation = useWords();
  return (
    <>
      <NotFoundStyles />
      <Navigation />
      <main id="main" className="page not-found">
        <Announcement />
        <article className="card" lang={translation.lang}>
          <h1 className="title">{refusalIn(translation, VISITOR_REFUSALS.formClosed)}</h1>
          <p style={LAST}>
            <Link to="/" className="button">
              {translation.words.goHome}
            </Link>
          </p>
        </article>
      </main>
    </>
  );
}
