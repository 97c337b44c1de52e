/** What stands in the row of a submission: who sent it, from where, and the gist of it. */
import { answersOf, type WithAnswers } from "./answersOf.ts";

/** `address` is the e-mail answer; `email` is it too, unless it already stands for the name. */
export interface Gist {
  readonly who: string;
  readonly email: string;
  readonly address: string | undefined;
  readonly excerpt: string;
}

/** The first line of text names the sender, the first e-mail answer is the address. */
export function gistOf(submission: WithAnswers): Gist {
  const answers = answersOf(submission);
  const first = (...types: string[]) => answers.find(({ type }) => types.includes(type));
  const name = first("text");
  const mail = first("email");
  const who = name ?? mail ?? answers[0];
  const rest = answers.filter((each) => each !== who && each !== mail);
  const excerpt = rest.find(({ type }) => type === "textarea") ?? rest[0];
  return {
    who: who?.answer ?? "No answers",
    email: mail && mail !== who ? mail.answer : "",
    address: mail?.answer,
    excerpt: excerpt?.answer ?? "",
  };
}
