/** Which way a text reads, as browsers find it for `dir="auto"`: by its first letter. */

const RIGHT_TO_LEFT =
  /\p{Script=Arabic}|\p{Script=Hebrew}|\p{Script=Syriac}|\p{Script=Thaana}|\p{Script=Nko}/u;

/** True where a text begins at the right; undefined where it has no letter to tell. */
export function beginsAtRight(text: string): boolean | undefined {
  const [first] = /\p{L}/u.exec(text) ?? [];
  return first === undefined ? undefined : RIGHT_TO_LEFT.test(first);
}
