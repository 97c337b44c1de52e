/** Pagination of long lists. */
import { invalid } from "../shared/errors.ts";

export interface ListRange {
  readonly offset: number;
  readonly limit: number;
}

export const DEFAULT_PAGE_SIZE = 200;
const MAX_PAGE_SIZE = 1000;

/** The parameters by name: a query, or the fields of a body as strings. */
interface Parameters {
  get(name: string): string | null | undefined;
}

/** Reads `offset` and `limit`. Throws a 422 with a message by parameter. */
export function listRange(query: Parameters): ListRange {
  return {
    offset: wholeNumber(query, "offset", 0, 0, Number.MAX_SAFE_INTEGER),
    limit: wholeNumber(query, "limit", DEFAULT_PAGE_SIZE, 1, MAX_PAGE_SIZE),
  };
}

function wholeNumber(
  query: Parameters,
  name: string,
  usual: number,
  least: number,
  most: number,
): number {
  const text = query.get(name);
  if (text === null || text === undefined || text === "") return usual;
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw wrongQuery(
    name,
    most === MAX_PAGE_SIZE
      ? `The ${name} must be a whole number from ${least} to ${most}.`
      : `The ${name} must be a whole number, ${least} or more.`,
  );
}

/** A 422 for a query parameter. */
export const wrongQuery = (name: string, message: string) => invalid(message, { [name]: message });
