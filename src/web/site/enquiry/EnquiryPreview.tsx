/** The dashboard's preview of the enquiry form, with the owner's unsaved changes. */
import { useMemo } from "react";
import { type EnquiryStep, createEnquiryTree } from "../../../schema/enquiry/enquiry.ts";
import type { Answers } from "../../../schema/enquiry/questions.ts";
import type { PageContent } from "../../shared/content.ts";
import { EnquirySection } from "./EnquirySection.tsx";

/** `step` is the index of the shown step, from 0. */
interface EnquiryPreviewProps {
  readonly content: PageContent;
  readonly step?: number | undefined;
}

/** Shows the content's first form at a step. Nothing is sent or stored. */
export function EnquiryPreview({ content, step }: EnquiryPreviewProps) {
  const enquiry = useMemo(() => {
    const { forms, formSteps = [], formFields = [] } = content;
    return forms?.[0] ? createEnquiryTree(forms[0], { formSteps, formFields }) : null;
  }, [content]);
  const preview = useMemo(
    () =>
      step === undefined
        ? {}
        : { step, answers: createAnswersLeadingTo(step, enquiry?.steps ?? []) },
    [enquiry, step],
  );
  return <EnquirySection enquiry={enquiry} preview={preview} />;
}

/** Returns answers that make a step and as many of its questions as possible visible. */
function createAnswersLeadingTo(step: number, steps: readonly EnquiryStep[]): Answers {
  const answers: Answers = {};
  const questionsById = new Map(
    steps.flatMap((each) => each.fields.map((field) => [field.id, { field, step: each }] as const)),
  );
  const addAnswersLeadingTo = ({ showIf }: Pick<EnquiryStep, "showIf">) => {
    const dependency = showIf && questionsById.get(showIf.fieldId);
    if (!dependency || Object.hasOwn(answers, showIf.fieldId)) return;
    const [value = ""] = showIf.values;
    answers[showIf.fieldId] = dependency.field.fieldType === "checkbox" ? [value] : value;
    addAnswersLeadingTo(dependency.step);
    addAnswersLeadingTo(dependency.field);
  };
  const shownStep = steps[step];
  if (shownStep) addAnswersLeadingTo(shownStep);
  for (const field of shownStep?.fields ?? []) addAnswersLeadingTo(field);
  return answers;
}
