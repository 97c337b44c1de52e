/** Returns a value that must exist although its type allows undefined or null. Throws an error with `description`. */
export function assertDefined<T>(value: T, description: string): NonNullable<T> {
  if (value === undefined || value === null) throw new Error(`missing: ${description}`);
  return value;
}
