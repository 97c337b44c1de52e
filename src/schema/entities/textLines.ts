/** Text with one entry per line. Unlike in `optionLines` (textKinds.ts), commas don't separate entries. */
import { type Field, longText, type Options } from "../kinds/fields.ts";

/** At most `most` lines; stored as typed. */
export const textLinesField = (
  label: string,
  maxLines: number,
  options: Options<string> = {},
): Field<string> =>
  longText(label, {
    hint: `One per line, up to ${maxLines}.`,
    findNewValueProblem: (text) =>
      splitLines(text).length > maxLines ? `Use at most ${maxLines} lines.` : undefined,
    ...options,
  });

export const splitLines = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
