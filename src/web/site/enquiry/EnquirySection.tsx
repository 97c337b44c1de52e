/** An enquiry form with its texts, on the coaching page or on a page of its own (specification, section 2.4). */
import type { ReactNode } from "react";
import type { EnquiryTree, NoScriptState } from "../../../schema/enquiry/enquiry.ts";
import type { Pictures } from "../../../schema/pictures/pictures.ts";
import { toSafePictureUrl } from "../../../schema/core/safeUrl.ts";
import { getSingletonValue, type LoadedPage } from "../../shared/content.ts";
import { createPackageAnchor, type LinkedPackage } from "../parts/packageAnchor.ts";
import { createTitleFitStyle } from "../parts/fitTitle.ts";
import { createSources, type ImageSources, Photo } from "../parts/Photo.tsx";
import { TextLine } from "../parts/TextLine.tsx";
import { useWords } from "../../words/siteWords.ts";
import { EnquiryForm, type PreviewedStep } from "./EnquiryForm.tsx";
import { type FormWords, createFormWords } from "./formWords.ts";

/** `enquiry` is null when there is no active form. */
export interface EnquirySectionProps {
  readonly enquiry: EnquiryTree | null;
  /** The result of posting the form without scripts. */
  readonly noScriptState?: NoScriptState | null;
  /** The URL of the script that hydrates the form; undefined in a preview. */
  readonly scriptUrl?: string;
  /** Set in the dashboard's preview, which sends and stores nothing, and follows no link; undefined on the site. */
  readonly preview?: PreviewedStep;
  /** The path of the form's own page, where the form's title is the main heading; undefined on the coaching page. */
  readonly path?: string;
  readonly portrait?: ReactNode;
  /** The packages that link to the form. The form has an anchor for each, by which it recognizes the package. */
  readonly packages?: readonly LinkedPackage[];
  /** Replaces the form if none is active. */
  readonly fallback?: ReactNode;
}

export function EnquirySection(props: EnquirySectionProps) {
  const { enquiry, noScriptState, scriptUrl, preview, path, portrait, packages, fallback } = props;
  const words = { ...createFormWords(useWords()), ...(path !== undefined && { pagePath: path }) };
  const Title = path === undefined ? "h2" : "h1";
  if (enquiry === null) return fallback;
  const { title, subtitle, description } = enquiry;
  return (
    <section
      id="enquiry"
      className="section enquiry"
      aria-labelledby="enquiry-title"
      style={path === undefined ? undefined : BELOW_BAR_STYLE}
    >
      {packages?.map(({ id, title }) => (
        <div
          key={id}
          id={createPackageAnchor(id)}
          data-title={title}
          style={SCROLL_POSITION_STYLE}
        />
      ))}
      <div className="enquiry-inner">
        <div className="enquiry-intro">
          <Title
            id="enquiry-title"
            className="title fitted"
            dir="auto"
            style={createTitleFitStyle(title)}
          >
            <TextLine text={title} />
          </Title>
          {subtitle && (
            <p dir="auto">
              <TextLine text={subtitle} />
            </p>
          )}
          {portrait && <div className="enquiry-portrait">{portrait}</div>}
          {description && <FormDescription text={description} />}
        </div>
        <div
          className="enquiry-card"
          data-wakes={scriptUrl}
          data-begun={noScriptState ? "" : undefined}
        >
          <EnquiryForm
            key={enquiry.id}
            form={enquiry}
            noScriptState={noScriptState}
            preview={preview}
            words={words}
          />
        </div>
        {scriptUrl && (
          <FormStateScript form={enquiry} noScriptState={noScriptState} words={words} />
        )}
      </div>
    </section>
  );
}

/** The padding of a form on its own page, which already begins below the bar. */
const BELOW_BAR_STYLE = { paddingTop: "max(var(--rhythm) - 6rem, 1.5rem)" };

const SCROLL_POSITION_STYLE = { scrollMarginTop: "var(--rhythm)" };

/** The form's description. Several lines become a list. */
function FormDescription({ text }: { text: string }) {
  const lines = text.split("\n").map((line) => line.trim());
  const items = lines.filter(Boolean);
  if (items.length < 2) return <p dir="auto">{text}</p>;
  return (
    <ul className="enquiry-promises">
      {items.map((item) => (
        <li key={item} dir="auto">
          <TextLine text={item} />
        </li>
      ))}
    </ul>
  );
}

/** The data for entry-enquiry.tsx, directly after the form. The text is escaped so that it can't end the script. */
function FormStateScript(state: {
  form: EnquiryTree;
  noScriptState: NoScriptState | null | undefined;
  words: FormWords;
}) {
  const text = JSON.stringify(state).replaceAll("<", "\\u003c");
  return <script type="application/json" dangerouslySetInnerHTML={{ __html: text }} />;
}

/** With these sizes, phones load the same file as on the home page, so it is often cached. */
const PORTRAIT_PLACEMENT = { sizes: "(min-width: 1024px) 36vw, 88vw", crop: "about" } as const;

/** Renders the coach's portrait beside the form: the picture of the About section. */
export function renderPortrait({ content, pictures }: LoadedPage): ReactNode {
  const src = toSafePictureUrl(getSingletonValue(content, "about").image);
  return src && <Photo src={src} pictures={pictures} {...PORTRAIT_PLACEMENT} />;
}

export const createPortraitSources = (src: string, pictures: Pictures): ImageSources =>
  createSources(src, { pictures, ...PORTRAIT_PLACEMENT });
