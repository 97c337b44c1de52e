/** Reads the enquiry form that a visitor fills in. */
import { activeForm, enquiryTree, type EnquiryTree } from "../../../schema/enquiry.ts";
import type { ContentSource } from "../../shared/content.ts";

/** The active form with everything in it, or null when there is none or it could not be read. */
export async function loadEnquiry(source: ContentSource): Promise<EnquiryTree | null> {
  try {
    const form = activeForm(await source.read("forms"));
    if (!form) return null;
    const formSteps = await source.read("formSteps", form.id);
    const fields = await Promise.all(formSteps.map(({ id }) => source.read("formFields", id)));
    return enquiryTree(form, { formSteps, formFields: fields.flat() });
  } catch {
    return null;
  }
}
