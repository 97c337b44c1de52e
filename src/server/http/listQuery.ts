/** What the owner asks of a long list: which page of it, which state, which words. */
import { invalid } from "./refusal.ts";

/** One page, newest first. */
export interface ListQuery {
  readonly offset: number;
  readonly limit: number;
  readonly status: string | undefined;
  /** Trimmed and in lower case; undefined for everything. */
  readonly search: string | undefined;
}

const USUAL_LIMIT = 200;
const MOST = 1000;
const LONGEST_SEARCH = 200;

/** Reads `offset`, `limit`, `status` and `search` of an address. Raises a 422 with words by name. */
export function readListQuery(url: string, statuses: readonly { value: string }[]): ListQuery {
  const query = new URL(url).searchParams;
  const status = query.get("status") || undefined;
  const search = query.get("search")?.trim().slice(0, LONGEST_SEARCH).toLowerCase();
  if (status !== undefined && !statuses.some(({ value }) => value === status))
    throw wrong("status", "Choose one of the values offered.");
  return {
    offset: wholeNumber(query, "offset", 0, 0, Number.MAX_SAFE_INTEGER),
    limit: wholeNumber(query, "limit", USUAL_LIMIT, 1, MOST),
    status,
    search: search || undefined,
  };
}

function wholeNumber(
  query: URLSearchParams,
  name: string,
  usual: number,
  least: number,
  most: number,
): number {
  const given = query.get(name);
  if (given === null || given === "") return usual;
  const number = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
  if (number >= least && number <= most) return number;
  const bound = most === MOST ? ` to ${MOST}` : " or more";
  throw wrong(name, `The ${name} must be a whole number, ${least}${bound}.`);
}

const wrong = (name: string, words: string) => invalid(words, { [name]: words });
