/** The pages of a testimonial request's link: to write a testimonial, and to withdraw it. */
import type { ReactNode } from "react";
import { MAX_TESTIMONIAL_LENGTH } from "../../schema/sections/testimonialRules.ts";
import { addColon, fillPlaceholders } from "../../web/words/placeholders.ts";
import type { SiteWords } from "../../web/words/siteWords.ts";
import { type PageBranding, createPlainPage } from "../shared/plainPage.tsx";
import type { TestimonialInput, InputErrors } from "./testimonialInput.ts";

interface TestimonialPageOptions {
  readonly site: PageBranding;
  readonly translation: SiteWords;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Default: the page's heading. */
  readonly tabTitle?: string;
}

export interface TestimonialFormOptions extends TestimonialPageOptions {
  readonly questions: readonly string[];
  readonly input: TestimonialInput;
  readonly errors: InputErrors;
  /** Why a testimonial with valid fields wasn't stored. */
  readonly problem?: string | undefined;
}

export function renderTestimonialForm(options: TestimonialFormOptions): Response {
  const { site, translation, questions, input, errors, problem } = options;
  const { testimonialForm } = translation.words;
  const fillSiteName = (sentence: string) => fillPlaceholders(sentence, { name: site.siteName });
  const firstInvalidField = FIELD_NAMES.find((field) => errors[field] !== undefined);
  const title = fillSiteName(testimonialForm.title);
  const isRefused = firstInvalidField !== undefined || problem !== undefined;
  const refusalTitle = addColon(translation.words.refusal.title, translation.words);
  return renderPage(
    { ...options, ...(isRefused && { tabTitle: `${refusalTitle} ${title}` }) },
    title,
    <>
      {questions.length > 0 && (
        <ul>
          {questions.map((question) => (
            <li key={question} dir="auto">
              {question}
            </li>
          ))}
        </ul>
      )}
      {problem !== undefined && (
        <p className="wrong" role="alert">
          {problem}
        </p>
      )}
      <TestimonialForm
        words={testimonialForm}
        role={fillSiteName(testimonialForm.role)}
        consent={fillSiteName(testimonialForm.consent)}
        input={input}
        errors={errors}
      />
    </>,
  );
}

interface TestimonialFormProps {
  readonly words: SiteWords["words"]["testimonialForm"];
  readonly role: string;
  readonly consent: string;
  readonly input: TestimonialInput;
  readonly errors: InputErrors;
}

function TestimonialForm({ words, role, consent, input, errors }: TestimonialFormProps) {
  const firstInvalidField = FIELD_NAMES.find((field) => errors[field] !== undefined);
  const getErrorProps = (field: keyof TestimonialInput) =>
    errors[field] === undefined
      ? undefined
      : {
          "aria-invalid": true,
          "aria-describedby": `${field}-wrong`,
          // Screen readers read the error of the focused field.
          autoFocus: field === firstInvalidField,
        };
  const getFieldProps = (name: keyof TestimonialInput) => ({
    id: name,
    name,
    dir: "auto",
    ...getErrorProps(name),
  });
  return (
    // Without an action, the form posts to the page's own URL, which contains the token.
    <form method="post">
      <label htmlFor="words">
        {words.text}{" "}
        <span>{fillPlaceholders(words.maxLengthNote, { most: MAX_TESTIMONIAL_LENGTH })}</span>
      </label>
      <textarea {...getFieldProps("words")} required defaultValue={input.words} />
      <FieldProblem errors={errors} field="words" />
      <label htmlFor="name">{words.name}</label>
      <input {...getFieldProps("name")} required autoComplete="name" defaultValue={input.name} />
      <FieldProblem errors={errors} field="name" />
      <label htmlFor="role">
        {role} <span>{words.optional}</span>
      </label>
      <input {...getFieldProps("role")} defaultValue={input.role} />
      <FieldProblem errors={errors} field="role" />
      <div className="consent">
        <input
          type="checkbox"
          id="agreed"
          name="agreed"
          value="yes"
          required
          defaultChecked={input.agreed}
          {...getErrorProps("agreed")}
        />
        <label htmlFor="agreed">{consent}</label>
      </div>
      <FieldProblem errors={errors} field="agreed" />
      <button type="submit">{words.send}</button>
    </form>
  );
}

const FIELD_NAMES = ["words", "name", "role", "agreed"] as const;

function FieldProblem({
  errors,
  field,
}: {
  readonly errors: InputErrors;
  readonly field: keyof TestimonialInput;
}) {
  if (errors[field] === undefined) return null;
  return (
    <p className="wrong" id={`${field}-wrong`}>
      {errors[field]}
    </p>
  );
}

/** Renders the page after a testimonial was sent, where its author can withdraw it. */
export function renderThanksPage(options: TestimonialPageOptions): Response {
  const { site, translation } = options;
  const { testimonialForm } = translation.words;
  return renderPage(
    options,
    testimonialForm.thanksTitle,
    <>
      <p>{fillPlaceholders(testimonialForm.reviewNote, { name: site.siteName })}</p>
      <form method="post">
        <button type="submit" className="quiet" name="do" value="take-back">
          {testimonialForm.withdraw}
        </button>
      </form>
    </>,
  );
}

export const renderTextPage = (
  options: TestimonialPageOptions,
  title: string,
  text: string,
): Response =>
  renderPage(options, title, <p>{fillPlaceholders(text, { name: options.site.siteName })}</p>);

const renderPage = (
  { site, status, headers, tabTitle }: TestimonialPageOptions,
  title: string,
  body: ReactNode,
): Response =>
  createPlainPage(site, {
    title,
    tabTitle,
    body,
    style: PAGE_STYLE,
    ...(status && { status }),
    headers,
  });

const PAGE_STYLE = `
ul { margin: 0 0 24px; padding: 0; list-style: none; }
li { padding: 8px 0; border-top: 1px solid var(--line); }
label { display: block; margin-bottom: 6px; }
label > span { color: var(--quiet); font-weight: 400; }
textarea, input { width: 100%; min-height: 52px; margin: 0 0 20px; }
textarea { min-height: 160px; }
[aria-invalid] { margin-bottom: 6px; border-width: 2px; }
.wrong { margin: 0 0 20px; }
.wrong::before { content: "! "; }
.consent { display: flex; gap: 12px; align-items: start; padding: 10px 0; }
.consent > label { margin: 0; font-weight: 400; }
form > button:not(.quiet) { width: 100%; margin-top: 10px; }
`;
