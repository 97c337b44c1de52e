/** Conditions on records and searches in SQL. */
import { type Operator, type Term, termsOf, type Where } from "../where.ts";

/** A statement's values, numbered as they are added. */
export class Values {
  readonly all: unknown[] = [];

  /** Returns the value's placeholder. */
  add(value: unknown): string {
    this.all.push(value);
    return `$${this.all.length}`;
  }
}

/** The one character PostgreSQL text can't store. */
export const encodeNul = (text: string) => text.replaceAll("\0", "\uFFFE");
/** The reverse, for keys. */
export const decodeNul = (text: string) => text.replaceAll("\uFFFE", "\0");

/** Separates a record's texts; never in a search. */
const BETWEEN = "\uFFFF";

/** The texts to search in, joined. */
export const searchable = (texts: readonly string[]) =>
  encodeNul(texts.join(BETWEEN).toLowerCase());

/** A condition on an entity's rows. `columnOf`: a key's column. */
export function whereClause<K>(
  where: Where<K> | undefined,
  search: string | undefined,
  values: Values,
  columnOf = keyColumn,
): string {
  const alternatives = termsOf(where ?? ({} as Where<K>)).map((terms) =>
    terms.length === 0
      ? "true"
      : terms.map((term) => sqlOf(term, columnOf(term.field), values)).join(" and "),
  );
  const condition =
    alternatives.length === 0 ? "false" : alternatives.map((each) => `(${each})`).join(" or ");
  if (!search) return `(${condition})`;
  return `(${condition}) and ${holding(encodeNul(search), values)}`;
}

/** The search index has trigrams: for shorter texts it would be read whole, and all records too. */
const IN_INDEX = 3;

function holding(text: string, values: Values): string {
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  // A collation other than the index's avoids it. `strpos` would take twice as long.
  const column = [...text].length < IN_INDEX ? 'search collate "C"' : "search";
  return `${column} like ${values.add(pattern)}::text`;
}

export const keyColumn = (field: string) => {
  if (!/^\w+$/.test(field)) throw new Error(`"${field}" can't be a key.`);
  return field === "id" ? "id" : `(keys->>'${field}')`;
};

const SIGN: Partial<Record<Operator, string>> = {
  before: "<",
  upTo: "<=",
  from: ">=",
  after: ">",
};

function sqlOf({ operator, value }: Term, key: string, values: Values): string {
  if (operator === "oneOf" || operator === "noneOf")
    return amongSql(key, operator, value as ReadonlySet<unknown>, values);
  if (value === null) return `${key} is ${operator === "not" ? "not " : ""}null`;
  const sign = SIGN[operator];
  if (!sign) {
    const same = operator === "not" ? "is distinct from" : "=";
    return `${key} ${same} ${values.add(textOf(value))}::text`;
  }
  const compared =
    typeof value === "number"
      ? `${key}::numeric ${sign} ${values.add(String(value))}::numeric`
      : `${key} collate "C" ${sign} ${values.add(textOf(value))}::text`;
  // Null comes before every other value.
  return sign.startsWith("<") ? `(${key} is null or ${compared})` : compared;
}

function amongSql(
  key: string,
  operator: "oneOf" | "noneOf",
  set: ReadonlySet<unknown>,
  values: Values,
): string {
  const texts = [...set].flatMap((each) => (each === null ? [] : textOf(each)));
  const list = values.add(JSON.stringify(texts));
  const among = `${key} = any(array(select json_array_elements_text(${list}::text::json)))`;
  const condition = `(coalesce(${among}, false)${set.has(null) ? ` or ${key} is null` : ""})`;
  return operator === "oneOf" ? condition : `not ${condition}`;
}

/** A value as `->>` returns it. */
const textOf = (value: unknown) => encodeNul(String(value));
