/** Pagination of long lists. */
import { invalid } from "../shared/errors.ts";

export interface ListRange {
  readonly offset: number;
  readonly limit: number;
}

/** The default page size. */
export const DEFAULT_PAGE_SIZE = 200;
const MOST = 1000;

/** The parameters by name: a query, or the fields of a body as strings. */
interface Parameters {
  get(name: string): string | null | undefined;
}

/** Reads `offset` and `limit`. Throws a 422 with a message by parameter. */
export function listRange(query: Parameters): ListRange {
  return {
    offset: wholeNumber(query, "offset", 0, 0, Number.MAX_SAFE_INTEGER),
    limit: wholeNumber(query, "limit", DEFAULT_PAGE_SIZE, 1, MOST),
  };
}

function wholeNumber(
  query: Parameters,
  name: string,
  usual: number,
  least: number,
  most: number,
): number {
  const given = query.get(name);
  if (given === null || given === undefined || given === "") return usual;
  const number = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw wrongQuery(
    name,
    most === MOST
      ? `The ${name} must be a whole number from ${least} to ${most}.`
      : `The ${name} must be a whole number, ${least} or more.`,
  );
}

/** A 422 for a query parameter. */
export const wrongQuery = (name: string, message: string) => invalid(message, { [name]: message });
