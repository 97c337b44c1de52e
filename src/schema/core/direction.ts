/** The direction of a text, as browsers determine it for `dir="auto"`: by its first letter. */

const RTL_SCRIPT_PATTERN =
  /\p{Script=Arabic}|\p{Script=Hebrew}|\p{Script=Syriac}|\p{Script=Thaana}|\p{Script=Nko}/u;

/** True if the first letter of a text is written from right to left; undefined for a text without letters. */
export function isRightToLeft(text: string): boolean | undefined {
  const [first] = /\p{L}/u.exec(text) ?? [];
  return first === undefined ? undefined : RTL_SCRIPT_PATTERN.test(first);
}
