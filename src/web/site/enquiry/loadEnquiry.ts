/** Loads the enquiry form of a page. */
import {
  findActiveForm,
  createEnquiryTree,
  type EnquiryTree,
  findFormByPath,
} from "../../../schema/enquiry/enquiry.ts";
import type { ContentSource } from "../../shared/content.ts";

/** Loads the active form at `path`, or the first active form. Returns null without a form, or if it can't be read. */
export async function loadEnquiry(
  source: ContentSource,
  path?: string,
): Promise<EnquiryTree | null> {
  try {
    const forms = await source.read("forms");
    const form = path === undefined ? findActiveForm(forms) : findFormByPath(forms, path);
    if (!form) return null;
    const formSteps = await source.read("formSteps", form.id);
    const fields = await Promise.all(formSteps.map(({ id }) => source.read("formFields", id)));
    return createEnquiryTree(form, { formSteps, formFields: fields.flat() });
  } catch {
    return null;
  }
}
