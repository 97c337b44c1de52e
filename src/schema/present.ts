/** What the types can't tell is there, such as the nth of a list that is as long as another. */

/** Returns a value that the code around it has seen to. Throws an error that names `what` is missing. */
export function present<T>(value: T, what: string): NonNullable<T> {
  if (value === undefined || value === null) throw new Error(`missing: ${what}`);
  return value;
}
