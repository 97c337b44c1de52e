/** Checks for untrusted input. Each check limits the length first, and stops at the first error. */
import * as v from "valibot";

/**
 * Trims a text and refuses it if it is longer than `max` characters. Unlike with `v.maxLength`, later checks of the
 * pipe don't run on a refused text.
 */
export const boundedText = (max: number, notTextMessage: string, tooLongMessage = notTextMessage) =>
  v.pipe(
    v.string(notTextMessage),
    v.rawTransform<string, string>(({ dataset, addIssue, NEVER }) => {
      const text = dataset.value.trim();
      if (text.length <= max) return text;
      addIssue({ message: tooLongMessage });
      return NEVER;
    }),
  );

/** Like `v.safeParse`, but stops at each value's first error, since later checks could be slow on invalid values. */
export const parseUntilError = <S extends v.GenericSchema<any, any>>(schema: S, input: unknown) =>
  v.safeParse(schema, input, { abortPipeEarly: true });
