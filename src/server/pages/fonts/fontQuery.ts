/** Reads the query of a `css2` address: families, the weights asked of each, and the display. */

/** A family and its weights: a list of single ones, or a range. */
export type FontRequest = { family: string; weights: number[] | { from: number; to: number } };

/** What a query asks for. */
export type FontQuery = { requests: FontRequest[]; display: string };

const DISPLAYS = ["auto", "block", "swap", "fallback", "optional"];
const MAX_FAMILIES = 15;
const FAMILY = /^(?<family>[\w ]{1,60})(?::wght@(?<weights>[\d.;]{3,80}))?$/;
const WEIGHT_LIST = /^[1-9]\d{0,3}(;[1-9]\d{0,3})*$/;
const WEIGHT_RANGE = /^([1-9]\d{0,3})\.\.([1-9]\d{0,3})$/;

/** The query, or undefined when it is not of the known form. Without weights 400 is meant. */
export function fontQuery(query: URLSearchParams): FontQuery | undefined {
  const requests = query.getAll("family").map(fontRequest);
  const display = query.get("display") ?? "swap";
  if (requests.length < 1 || requests.length > MAX_FAMILIES) return undefined;
  if (!DISPLAYS.includes(display) || !requests.every((request) => request !== undefined))
    return undefined;
  return { requests, display };
}

function fontRequest(parameter: string): FontRequest | undefined {
  const { family, weights = "400" } = FAMILY.exec(parameter)?.groups ?? {};
  if (!family) return undefined;
  const range = WEIGHT_RANGE.exec(weights);
  if (range) return { family, weights: { from: Number(range[1]), to: Number(range[2]) } };
  return WEIGHT_LIST.test(weights)
    ? { family, weights: weights.split(";").map(Number) }
    : undefined;
}
