/** An assertion for values that exist although their types allow undefined or null. */

/** Returns a value that must exist. Throws an error with its `description` if it is missing. */
export function assertDefined<T>(value: T, description: string): NonNullable<T> {
  if (value === undefined || value === null) throw new Error(`missing: ${description}`);
  return value;
}
