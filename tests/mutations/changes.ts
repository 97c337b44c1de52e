/** A small change of the program that breaks a promise, and the tests that have to notice. */
export interface Mutation {
  /** Below `src`. */
  readonly file: string;
  /** Occurs in the file once. */
  readonly text: string;
  readonly instead: string;
  readonly breaks: string;
  /** Below `tests`; browser tests by their whole name. */
  readonly noticed: readonly string[];
}
