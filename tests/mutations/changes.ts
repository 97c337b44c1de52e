/** A small change of the program that breaks a promise, and the tests that have to fail then. */
export interface Mutation {
  /** The path below `src`. */
  readonly file: string;
  /** Must occur in the file exactly once. */
  readonly text: string;
  readonly instead: string;
  readonly breaks: string;
  /** The paths of test files below `tests`. */
  readonly noticed: readonly string[];
}
