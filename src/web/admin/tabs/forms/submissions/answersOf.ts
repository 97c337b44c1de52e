/** The answers of a submission in the words of the questions as they were asked. */
import type { Item } from "../../../../../schema/index.ts";

/** One answer as text; several ticked boxes are joined by commas. */
export interface Answered {
  readonly id: string;
  readonly label: string;
  readonly type: string;
  readonly answer: string;
}

/** What of a submission holds answers. */
export type WithAnswers = Pick<Item<"formSubmissions">, "questions" | "submissionData">;

/** In the order asked; without kept questions the raw answers by the id of their field. */
export function answersOf({ questions, submissionData }: WithAnswers): Answered[] {
  if (questions.length === 0) return rawAnswers(submissionData);
  return questions.map(({ id, label, type, answer }) => ({
    id,
    label,
    type,
    answer: textOf(answer),
  }));
}

function rawAnswers(json: string): Answered[] {
  const answers = Object.entries(parsed(json));
  if (answers.length === 0) return [{ id: "", label: "Answers", type: "textarea", answer: json }];
  return answers.map(([id, answer]) => ({ id, label: id, type: "", answer: textOf(answer) }));
}

function textOf(answer: unknown): string {
  return Array.isArray(answer) ? answer.join(", ") : String(answer);
}

function parsed(json: string): object {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
