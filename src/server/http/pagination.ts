/** Pagination of long lists. */
import { invalidField } from "../shared/errors.ts";

export interface PageRange {
  readonly offset: number;
  readonly limit: number;
}

export const DEFAULT_PAGE_SIZE = 200;
const MAX_PAGE_SIZE = 1000;

interface QueryParameters {
  get(name: string): string | null | undefined;
}

/** Reads `offset` and `limit`. Throws a 422 with a message by parameter. */
export function readPageRange(query: QueryParameters): PageRange {
  return {
    offset: readWholeNumber(query, "offset", 0, 0, Number.MAX_SAFE_INTEGER),
    limit: readWholeNumber(query, "limit", DEFAULT_PAGE_SIZE, 1, MAX_PAGE_SIZE),
  };
}

function readWholeNumber(
  query: QueryParameters,
  name: string,
  defaultValue: number,
  min: number,
  max: number,
): number {
  const text = query.get(name);
  if (text === null || text === undefined || text === "") return defaultValue;
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw invalidField(
    name,
    max === MAX_PAGE_SIZE
      ? `The ${name} must be a whole number from ${min} to ${max}.`
      : `The ${name} must be a whole number, ${min} or more.`,
  );
}
