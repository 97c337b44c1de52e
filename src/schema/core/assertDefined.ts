/** Asserts what types can't express, such as the nth item of a list as long as another. */

/** Returns a value that the calling code guarantees. Throws an error that contains its `description`. */
export function assertDefined<T>(value: T, description: string): NonNullable<T> {
  if (value === undefined || value === null) throw new Error(`missing: ${description}`);
  return value;
}
