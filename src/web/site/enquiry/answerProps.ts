/** What every kind of answer is rendered from. */
import type { ReactNode } from "react";
import type { EnquiryField } from "../../../schema/enquiry.ts";
import type { Answer } from "../../../schema/questions.ts";
import type { EnquiryState } from "./enquiryState.ts";

/** `control` goes onto the input; `ready` is false until the script runs. */
export interface AnswerProps {
  readonly field: EnquiryField;
  readonly state: EnquiryState;
  readonly ready: boolean;
  readonly control: {
    readonly id: string;
    readonly name: string;
    /** Words stand where their script begins. */
    readonly dir: "auto";
    readonly "aria-required": true | undefined;
    readonly "aria-invalid": true | undefined;
    readonly "aria-describedby": string | undefined;
  };
}

/** Shows the input or inputs of a question; the one that takes focus has `data-answer`. */
export type AnswerComponent = (props: AnswerProps) => ReactNode;

/** The answer of a question that takes one text. */
export function textOf(state: EnquiryState, id: string): string {
  const given: Answer | undefined = state.answers.value[id];
  return typeof given === "string" ? given : "";
}

/** The answers of a question that takes several. */
export function listOf(state: EnquiryState, id: string): readonly string[] {
  const given: Answer | undefined = state.answers.value[id];
  return Array.isArray(given) ? given : [];
}
