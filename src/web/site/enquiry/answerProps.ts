/** Props shared by all kinds of answers. */
import type { ReactNode } from "react";
import type { EnquiryField } from "../../../schema/enquiry/enquiry.ts";
import type { Answer } from "../../../schema/enquiry/questions.ts";
import type { EnquiryState } from "./enquiryState.ts";

/** `control` has the input's attributes; `isReady` is true once scripts run. */
export interface AnswerProps {
  readonly field: EnquiryField;
  readonly isReady: boolean;
  readonly control: {
    readonly id: string;
    readonly name: string;
    /** The browser derives the writing direction from the text. */
    readonly dir: "auto";
    readonly "aria-required": true | undefined;
    readonly "aria-invalid": true | undefined;
    readonly "aria-describedby": string | undefined;
  };
}

/** Renders a question's inputs. The input to focus has the attribute `data-answer`. */
export type AnswerComponent = (props: AnswerProps) => ReactNode;

export function readTextAnswer(state: EnquiryState, id: string): string {
  const answer: Answer | undefined = state.answers.value[id];
  return typeof answer === "string" ? answer : "";
}

export function readListAnswer(state: EnquiryState, id: string): readonly string[] {
  const answer: Answer | undefined = state.answers.value[id];
  return Array.isArray(answer) ? answer : [];
}
