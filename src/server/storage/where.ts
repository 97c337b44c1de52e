/** Describes conditions on records as data, which each engine converts to its own kind of search. */

/** A record matches if at least one alternative matches; an empty list matches no record. */
export type Where<K> = FieldConditions<K> | readonly FieldConditions<K>[];

/** A record matches if all fields match; an empty object matches every record. A plain value means `{ is: value }`. */
type FieldConditions<K> = { readonly [F in keyof K]?: K[F] | Condition<K[F]> };

/** Comparisons that must all be true; `upTo` and `from` include the value. A missing value is `null`, the lowest. */
interface Condition<V> {
  readonly is?: V;
  readonly not?: V | null;
  readonly oneOf?: ReadonlySet<V>;
  readonly before?: V;
  readonly upTo?: V;
  readonly from?: V;
  readonly after?: V;
}

export type Operator = keyof Condition<unknown>;

export interface WhereTerm {
  readonly field: string;
  readonly operator: Operator;
  readonly value: unknown;
}

/** Returns alternatives, each a list of terms that must all be true. Throws an Error for an undefined value. */
export function toTerms<K>(where: Where<K>): WhereTerm[][] {
  const alternatives = (Array.isArray(where) ? where : [where]) as FieldConditions<K>[];
  return alternatives.map((fields) =>
    Object.entries(fields).flatMap(([field, condition]) =>
      Object.entries(isCondition(condition) ? condition : { is: condition }).map(
        ([operator, value]) => {
          // If undefined meant "any value", a mistake in a caller could delete too many records.
          if (value === undefined) throw new Error(`"${field}" has no value to compare with.`);
          return { field, operator: operator as Operator, value };
        },
      ),
    ),
  );
}

const isCondition = (condition: unknown): condition is object =>
  typeof condition === "object" && condition !== null;

type Matcher = (keyValues: any) => boolean;

export function createMatcher<K>(where: Where<K> | undefined): (keyValues: Partial<K>) => boolean {
  if (where === undefined) return () => true;
  const alternatives = toTerms(where).map((terms) => terms.map(createTermMatcher));
  return (keyValues) =>
    alternatives.some((matchers) => matchers.every((matches) => matches(keyValues)));
}

function createTermMatcher({ field, operator, value }: WhereTerm): Matcher {
  if (operator === "is") return (keyValues) => (keyValues[field] ?? null) === value;
  const compare = OPERATOR_TESTS[operator];
  return (keyValues) => compare(keyValues[field] ?? null, value);
}

const OPERATOR_TESTS: Readonly<Record<Operator, (actual: unknown, expected: any) => boolean>> = {
  is: (actual, expected) => actual === expected,
  not: (actual, expected) => actual !== expected,
  oneOf: (actual, expected: ReadonlySet<unknown>) => expected.has(actual),
  before: (actual, expected) => actual === null || (actual as string) < expected,
  upTo: (actual, expected) => actual === null || (actual as string) <= expected,
  from: (actual, expected) => actual !== null && (actual as string) >= expected,
  after: (actual, expected) => actual !== null && (actual as string) > expected,
};
