/** The part of the coaching page that holds the active enquiry form (specification, section 2.4). */
import { type ReactNode, Suspense, use } from "react";
import type { EnquiryTree, PlainEnquiryState } from "../../../schema/enquiry.ts";
import { fitted } from "../parts/fitted.ts";
import { Words } from "../parts/Words.tsx";
import { EnquiryForm, type PreviewedStep } from "./EnquiryForm.tsx";

/** A promise while the form is still being read; null when there is no active form. */
export interface EnquirySectionProps {
  readonly enquiry: EnquiryTree | null | Promise<EnquiryTree | null>;
  /** Where a post without scripts has led. */
  readonly plain?: PlainEnquiryState | null;
  /** Given in the dashboard: nothing is sent, kept or followed. */
  readonly preview?: PreviewedStep;
  /** Who answers, beside the form. */
  readonly portrait?: ReactNode;
  /** Stands in where there is no active form. */
  readonly closed?: ReactNode;
}

/** Shows the form's words and the form; `closed` without an active form. */
export function EnquirySection(props: EnquirySectionProps) {
  return (
    <Suspense fallback={<Loading />}>
      <Loaded {...props} />
    </Suspense>
  );
}

function Loaded({ enquiry, plain, preview, portrait, closed }: EnquirySectionProps) {
  const loaded = enquiry instanceof Promise ? use(enquiry) : enquiry;
  if (loaded === null) return closed;
  const { title, subtitle, description } = loaded;
  return (
    <section id="enquiry" className="section enquiry" aria-labelledby="enquiry-title">
      <div className="enquiry-inner">
        <div className="enquiry-words">
          <h2 id="enquiry-title" className="title fitted" dir="auto" style={fitted(title)}>
            <Words text={title} />
          </h2>
          {subtitle && (
            <p dir="auto">
              <Words text={subtitle} />
            </p>
          )}
          {portrait && <div className="enquiry-portrait">{portrait}</div>}
          {description && <Promised text={description} />}
        </div>
        <div className="enquiry-card" data-wakes="" data-begun={plain ? "" : undefined}>
          <EnquiryForm key={loaded.id} form={loaded} plain={plain} preview={preview} />
        </div>
      </div>
    </section>
  );
}

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

function Loading() {
  return (
    <section id="enquiry" className="section enquiry">
      <p className="enquiry-loading" aria-live="polite">
        Loading form...
      </p>
    </section>
  );
}
