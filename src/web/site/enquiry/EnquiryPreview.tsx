/** The enquiry form as the dashboard previews it, from its parts as they are being edited. */
import { useMemo } from "react";
import { enquiryTree, type EnquiryTree } from "../../../schema/enquiry.ts";
import type { PageContent } from "../../shared/content.ts";
import { EnquirySection } from "./EnquirySection.tsx";

/** `step` is the one shown, counted from 0. */
interface EnquiryPreviewProps {
  readonly content: PageContent;
  readonly step?: number | undefined;
}

/** The first form of the content at the step given; nothing is sent or kept. */
export function EnquiryPreview({ content, step }: EnquiryPreviewProps) {
  const enquiry = useMemo(() => enquiryIn(content), [content]);
  return <EnquirySection enquiry={enquiry} preview={step === undefined ? {} : { step }} />;
}

function enquiryIn({ forms, formSteps = [], formFields = [] }: PageContent): EnquiryTree | null {
  const form = forms?.[0];
  return form ? enquiryTree(form, { formSteps, formFields }) : null;
}
