/** The part of the coaching page that holds the active enquiry form (specification, section 2.4). */
import { Suspense, use } from "react";
import type { EnquiryTree, PlainEnquiryState } from "../../../schema/enquiry.ts";
import { LazyToaster } from "../../ui/LazyToaster.tsx";
import { fitted } from "../parts/fitted.ts";
import { EnquiryForm, type PreviewedStep } from "./EnquiryForm.tsx";

/** A promise while the form is still being read; null when there is no active form. */
export interface EnquirySectionProps {
  readonly enquiry: EnquiryTree | null | Promise<EnquiryTree | null>;
  /** Where a post without scripts has led. */
  readonly plain?: PlainEnquiryState | null;
  /** Given in the dashboard: nothing is sent, kept or followed. */
  readonly preview?: PreviewedStep;
}

/** Shows the form's words and the form; nothing without an active form. */
export function EnquirySection(props: EnquirySectionProps) {
  return (
    <Suspense fallback={<Loading />}>
      <Loaded {...props} />
      {!props.preview && <LazyToaster />}
    </Suspense>
  );
}

function Loaded({ enquiry, plain, preview }: EnquirySectionProps) {
  const loaded = enquiry instanceof Promise ? use(enquiry) : enquiry;
  if (loaded === null) return null;
  const { title, subtitle, description } = loaded;
  return (
    <section id="enquiry" className="section enquiry" aria-labelledby="enquiry-title">
      <div className="enquiry-inner">
        <div className="enquiry-words">
          <h2 id="enquiry-title" className="title fitted" style={fitted(title)}>
            {title}
          </h2>
          {subtitle && <p>{subtitle}</p>}
          {description && <p>{description}</p>}
        </div>
        <div className="enquiry-card">
          <EnquiryForm key={loaded.id} form={loaded} plain={plain} preview={preview} />
        </div>
      </div>
    </section>
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
