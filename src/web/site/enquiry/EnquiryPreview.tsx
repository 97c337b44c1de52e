/** The enquiry form as the dashboard previews it, from its parts as they are being edited. */
import { useMemo } from "react";
import type { PageContent } from "../../content.ts";
import type { PreviewedPage } from "../../sectionPreviews.ts";
import { EnquirySection } from "./EnquirySection.tsx";
import type { LoadedEnquiry } from "./loadEnquiry.ts";

/** Renders the first form of the content at the step given; nothing is sent or kept. */
export function EnquiryPreview({ content, step }: PreviewedPage) {
  const enquiry = useMemo(() => enquiryIn(content), [content]);
  return <EnquirySection enquiry={enquiry} preview={step === undefined ? {} : { step }} />;
}

function enquiryIn({ forms, formSteps, formFields }: PageContent): LoadedEnquiry | null {
  const form = forms?.[0];
  if (!form) return null;
  const steps = (formSteps ?? []).filter((step) => step.isActive);
  const fieldsOf = (stepId: string) =>
    (formFields ?? []).filter((field) => field.stepId === stepId && field.isActive);
  return { form, steps: steps.map((step) => ({ step, fields: fieldsOf(step.id) })) };
}
