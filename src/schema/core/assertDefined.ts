/** Assertions for what types can't express, such as that two lists have the same length. */

/** Returns a value that must exist. Throws an error with its `description` if it is missing. */
export function assertDefined<T>(value: T, description: string): NonNullable<T> {
  if (value === undefined || value === null) throw new Error(`missing: ${description}`);
  return value;
}
