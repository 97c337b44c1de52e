/** Reads the enquiry form a visitor fills in: the first active form, its active steps, their fields. */
import type { Item } from "../../../schema/index.ts";
import type { ContentSource } from "../../content.ts";

/** A question of the form. */
export type EnquiryField = Omit<Item<"formFields">, "adminLabel">;

/** A step with its questions. */
export interface LoadedStep {
  readonly step: Item<"formSteps">;
  readonly fields: readonly EnquiryField[];
}

/** The active form as a visitor sees it. */
export interface LoadedEnquiry {
  readonly form: Omit<Item<"forms">, "name">;
  readonly steps: readonly LoadedStep[];
}

/** The form with everything in it, or null when there is none or it could not be read. */
export async function loadEnquiry(source: ContentSource): Promise<LoadedEnquiry | null> {
  try {
    const form = (await source.read("forms")).find((each) => each.isActive);
    if (!form) return null;
    const active = (await source.read("formSteps", form.id)).filter((step) => step.isActive);
    active.sort((a, b) => a.stepOrder - b.stepOrder);
    const steps = await Promise.all(
      active.map(async (step) => ({ step, fields: await activeFields(source, step.id) })),
    );
    return { form, steps };
  } catch {
    return null;
  }
}

async function activeFields(source: ContentSource, stepId: string): Promise<EnquiryField[]> {
  const fields = await source.read("formFields", stepId);
  return fields.filter((field) => field.isActive).sort((a, b) => a.fieldOrder - b.fieldOrder);
}
