/** An enquiry form with its words, on the coaching page or on one of its own (specification, section 2.4). */
import type { ReactNode } from "react";
import type { EnquiryTree, PlainEnquiryState } from "../../../schema/enquiry.ts";
import { aboutPlace } from "../parts/aboutPlace.ts";
import { fitted } from "../parts/fitted.ts";
import { Words } from "../parts/Words.tsx";
import { useWords } from "../../words/siteWords.ts";
import { EnquiryForm, type PreviewedStep } from "./EnquiryForm.tsx";
import { type FormWords, formWords } from "./formWords.ts";

/** `enquiry` is null when there is no active form. */
export interface EnquirySectionProps {
  readonly enquiry: EnquiryTree | null;
  /** Where a post without scripts has led. */
  readonly plain?: PlainEnquiryState | null;
  /** The address of what brings the form to life; a preview has none. */
  readonly script?: string;
  /** Given in the dashboard: nothing is sent, kept or followed. */
  readonly preview?: PreviewedStep;
  /** The path of a page that is the form's own: its title is that page's. */
  readonly page?: string;
  /** Who answers, beside the form. */
  readonly portrait?: ReactNode;
  /** The packages that lead here: each has a place that the form knows it by, and those without scripts land at the form. */
  readonly packages?: readonly AskedAbout[];
  /** Stands in where there is no active form. */
  readonly closed?: ReactNode;
}

interface AskedAbout {
  readonly id: string;
  readonly title: string;
}

/** Shows the form's words and the form; `closed` without an active form. */
export function EnquirySection(props: EnquirySectionProps) {
  const { enquiry, plain, script, preview, page, portrait, packages, closed } = props;
  const words = { ...formWords(useWords()), ...(page !== undefined && { page }) };
  const Title = page === undefined ? "h2" : "h1";
  if (enquiry === null) return closed;
  const { title, subtitle, description } = enquiry;
  return (
    <section
      id="enquiry"
      className="section enquiry"
      aria-labelledby="enquiry-title"
      style={page === undefined ? undefined : BELOW_BAR}
    >
      {packages?.map(({ id, title }) => (
        <div key={id} id={aboutPlace(id)} data-title={title} style={AT_THE_TOP} />
      ))}
      <div className="enquiry-inner">
        <div className="enquiry-words">
          <Title id="enquiry-title" className="title fitted" dir="auto" style={fitted(title)}>
            <Words text={title} />
          </Title>
          {subtitle && (
            <p dir="auto">
              <Words text={subtitle} />
            </p>
          )}
          {portrait && <div className="enquiry-portrait">{portrait}</div>}
          {description && <Promised text={description} />}
        </div>
        <div className="enquiry-card" data-wakes={script} data-begun={plain ? "" : undefined}>
          <EnquiryForm
            key={enquiry.id}
            form={enquiry}
            plain={plain}
            preview={preview}
            words={words}
          />
        </div>
        {script && <FormState form={enquiry} plain={plain} words={words} />}
      </div>
    </section>
  );
}

/** What begins a page keeps clear of the bar. */
const BELOW_BAR = { paddingTop: "max(var(--rhythm), 7.5rem)" };

/** Where the section begins. */
const AT_THE_TOP = { scrollMarginTop: "var(--rhythm)" };

/** The description; written in several lines, it is a list of what is promised. */
function Promised({ text }: { text: string }) {
  const lines = text.split("\n").map((line) => line.trim());
  const promises = lines.filter(Boolean);
  if (promises.length < 2) return <p dir="auto">{text}</p>;
  return (
    <ul className="enquiry-promises">
      {promises.map((promise) => (
        <li key={promise} dir="auto">
          <Words text={promise} />
        </li>
      ))}
    </ul>
  );
}

/** What the form is brought to life from (entry-enquiry.tsx), right behind it; text that nothing in it can end. */
function FormState(state: {
  form: EnquiryTree;
  plain: PlainEnquiryState | null | undefined;
  words: FormWords;
}) {
  const text = JSON.stringify(state).replaceAll("<", "\\u003c");
  return <script type="application/json" dangerouslySetInnerHTML={{ __html: text }} />;
}
