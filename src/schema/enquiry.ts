/** The enquiry form as a visitor sees it, and where a visitor without scripts stands in it. */
import type { Answers } from "./answers.ts";
import type { formFields, formSteps, forms } from "./forms.ts";
import type { ItemOf } from "./entity.ts";

/** An active question, without what only the owner reads. */
export type EnquiryField = Omit<ItemOf<typeof formFields>, "adminLabel">;

/** An active step with its active questions, both in their order. */
export type EnquiryStep = ItemOf<typeof formSteps> & { readonly fields: readonly EnquiryField[] };

/** The form that the coaching page holds: the first active one, with its active steps. */
export type EnquiryForm = Omit<ItemOf<typeof forms>, "name"> & {
  readonly steps: readonly EnquiryStep[];
};

/** Where a visitor without scripts stands after a post; the page is drawn from it. */
export interface PlainEnquiryState {
  /** The status to answer with: 200, or that of the refusal. */
  readonly status: number;
  /** Counted from 0. */
  readonly step: number;
  /** All answers so far: those of other steps travel in hidden inputs. */
  readonly answers: Answers;
  /** Words by field id. */
  readonly errors: Readonly<Record<string, string>>;
  /** The words to show above the form, or null. */
  readonly error: string | null;
  /** Stored: show the thank-you card. */
  readonly done: boolean;
  /** When filling in began, signed; travels in the hidden input `started`. */
  readonly started: string | null;
}
