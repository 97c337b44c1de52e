/** The parts of a text between separators: trimmed, without empty ones. */
export const splitTrimmed = (text: string, separator: string | RegExp): string[] =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== "");
