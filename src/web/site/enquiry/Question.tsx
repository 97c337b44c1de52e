/** A question: label, required mark, input, and error. */
import type { ReactNode } from "react";
import type { FieldType, LineType } from "../../../schema/enquiry/questionKinds.ts";
import { getMaxAnswerLength } from "../../../schema/enquiry/questions.ts";
import { type AnswerComponent, type AnswerProps, readTextAnswer } from "./answerProps.ts";
import { CountryAnswer } from "./CountryAnswer.tsx";
import { useFormWords } from "./formWords.ts";
import {
  ChoiceInputs,
  ConsentAnswer,
  InternationalPhone,
  LongTextAnswer,
  SelectAnswer,
  TextAnswer,
} from "./NativeAnswers.tsx";
import { useEnquiryState } from "./useEnquiry.ts";

/** `isOnly` marks the step's only question. Its required mark is a separate line (specification, section 5.3). */
interface QuestionProps extends Pick<AnswerProps, "field" | "isReady"> {
  readonly isOnly: boolean;
}

type AnswerComponents<T extends FieldType> = Readonly<Record<T, AnswerComponent>>;

/** The component of each kind of answer. Kinds of one line share `TextAnswer`. */
const ANSWER_COMPONENTS: AnswerComponents<Exclude<FieldType, LineType>> &
  Partial<AnswerComponents<LineType>> = {
  consent: ConsentAnswer,
  textarea: LongTextAnswer,
  select: SelectAnswer,
  radio: ChoiceInputs,
  checkbox: ChoiceInputs,
  country: CountryAnswer,
  international_phone: InternationalPhone,
};

/** A question with its input, or with a group of inputs and a legend. */
export function Question({ field, isOnly, isReady }: QuestionProps) {
  const state = useEnquiryState();
  // `useId` would give other ids in the browser, where the form is hydrated as a separate tree.
  const id = `answer-${field.id}`;
  const { form: words, lang } = useFormWords();
  const error = state.errors.value[field.id];
  const Answer = ANSWER_COMPONENTS[field.fieldType] ?? TextAnswer;
  const control = {
    id,
    name: field.id,
    dir: "auto" as const,
    "aria-required": field.isRequired ? (true as const) : undefined,
    "aria-invalid": error === undefined ? undefined : (true as const),
    "aria-describedby": error === undefined ? undefined : `${id}-error`,
  };
  return (
    <QuestionFrame field={field} id={id} label={<QuestionLabel field={field} isOnly={isOnly} />}>
      <Answer field={field} isReady={isReady} control={control} />
      <AnswerLength field={field} />
      {error !== undefined && (
        <p id={`${id}-error`} className="question-error" lang={lang}>
          {error}
        </p>
      )}
      {field.isRequired && isOnly && (
        <p className="question-required" lang={lang}>
          {words.required}
        </p>
      )}
    </QuestionFrame>
  );
}

/** Shows the length of an answer that is near or over its limit. */
function AnswerLength({ field }: Pick<QuestionProps, "field">) {
  const state = useEnquiryState();
  const { locale } = useFormWords();
  const [length, maxLength] = [readTextAnswer(state, field.id).length, getMaxAnswerLength(field)];
  if (length <= maxLength * 0.9) return null;
  return (
    <p className="question-length" data-over={length > maxLength || undefined}>
      {`${length.toLocaleString(locale)} / ${maxLength.toLocaleString(locale)}`}
    </p>
  );
}

function QuestionLabel({ field, isOnly }: Pick<QuestionProps, "field" | "isOnly">) {
  const { form: words, lang } = useFormWords();
  return (
    <>
      {field.label}
      {field.isRequired && !isOnly && (
        <span className="question-note" lang={lang}>{` ${words.requiredNote}`}</span>
      )}
    </>
  );
}

interface QuestionFrameProps {
  readonly field: QuestionProps["field"];
  readonly id: string;
  readonly label: ReactNode;
  readonly children: ReactNode;
}

function QuestionFrame({ field, id, label, children }: QuestionFrameProps) {
  if (field.fieldType === "radio" || field.fieldType === "checkbox") {
    return (
      <fieldset className="question" dir="auto" data-question={field.id}>
        <legend className="question-label">{label}</legend>
        {children}
      </fieldset>
    );
  }
  return (
    <div className="question" dir="auto" data-question={field.id}>
      {/* A consent has no label here: its text is beside its checkbox. */}
      {field.fieldType !== "consent" && (
        <label className="question-label" htmlFor={id}>
          {label}
        </label>
      )}
      {children}
    </div>
  );
}
