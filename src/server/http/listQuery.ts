/** Which part of a long list a call asks for. */
import { invalid } from "../shared/errors.ts";

export interface ListRange {
  readonly offset: number;
  readonly limit: number;
}

/** How many come at a time when nothing else is asked for. */
export const USUAL_LIMIT = 200;
const MOST = 1000;

/** What is asked for, by name: the query of an address, or the fields of a body as texts. */
interface Asked {
  get(name: string): string | null | undefined;
}

/** Reads `offset` and `limit`. Throws a 422 with a message by name. */
export function listRange(query: Asked): ListRange {
  return {
    offset: wholeNumber(query, "offset", 0, 0, Number.MAX_SAFE_INTEGER),
    limit: wholeNumber(query, "limit", USUAL_LIMIT, 1, MOST),
  };
}

function wholeNumber(
  query: Asked,
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

/** A 422 for a part of an address. */
export const wrongQuery = (name: string, message: string) => invalid(message, { [name]: message });
