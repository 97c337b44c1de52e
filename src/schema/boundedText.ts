/** Checks of what anybody may send: each begins with the length of a text, and ends where something is wrong. */
import * as v from "valibot";

/**
 * A text, trimmed, of at most `most` characters. What is longer ends the pipe, other than after `v.maxLength`, so that no
 * check behind it meets a text of any length; `tests/patterns.test.ts` holds that each begins so.
 */
export const boundedText = (most: number, notText: string, tooLong = notText) =>
  v.pipe(
    v.string(notText),
    v.rawTransform<string, string>(({ dataset, addIssue, NEVER }) => {
      const text = dataset.value.trim();
      if (text.length <= most) return text;
      addIssue({ message: tooLong });
      return NEVER;
    }),
  );

/**
 * As `v.safeParse`, up to the first fault of each value: what stands behind it in a pipe relies on what was checked
 * before, and may take its time with anything else.
 */
export const outcomeOf = <S extends v.GenericSchema<any, any>>(schema: S, input: unknown) =>
  v.safeParse(schema, input, { abortPipeEarly: true });
