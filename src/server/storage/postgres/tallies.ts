/**
 * How many records of an entity there are, by their facets, and what they take: kept in memory by each
 * instance, so that a count costs nothing however many there are. Every transaction says what it changed;
 * what a fresh count has seen already is told by its number.
 */
import type { RecordsSpec } from "../entitySpecs.ts";
import type { Group } from "../store.ts";
import type { Database } from "./database.ts";
import { facetColumn } from "./recordColumns.ts";
import { keyColumn } from "./whereSql.ts";
import { matcherOf, termsOf, type Where } from "../where.ts";

/** What a transaction changed: of each group, by its facets' values, how many more or less. */
export interface Difference {
  groups: [values: unknown[], count: number][];
  bytes: number;
}

/** A fresh count, and which transactions it has seen. */
export interface Counted {
  readonly groups: readonly [values: unknown[], count: number][];
  readonly bytes: number;
  /** As of `pg_current_snapshot()`. */
  readonly snapshot: string;
}

/**
 * Counts the rows of a table: one statement sees one state, and says which. `isCountable`: its columns and
 * their index are there; the records themselves are read else. Throws `cannot_store`.
 */
export async function countedIn(
  database: Pick<Database, "read">,
  table: string,
  { facets, toggles }: Pick<RecordsSpec<any, any>, "facets" | "toggles">,
  isCountable: boolean,
): Promise<Counted> {
  const columns = facets.map(isCountable ? facetColumn : keyColumn);
  const nothing = facets.map(() => "null");
  const rows = await database.read(
    `select array[${columns.join(", ")}]::text[] as facets, count(*) as count,
      sum(bytes) as bytes, pg_current_snapshot()::text as snapshot
      from ${table} ${columns.length > 0 ? `group by ${columns.join(", ")}` : ""}
      union all select array[${nothing.join(", ")}]::text[], 0, 0, pg_current_snapshot()::text`,
  );
  const found = rows.filter(({ count }) => Number(count) > 0);
  const valuesOf = (texts: readonly (string | null)[]) =>
    facets.map((facet, at) => {
      const text = texts[at] ?? null;
      return toggles.has(facet) && text !== null ? text === "true" : text;
    });
  return {
    groups: found.map((row) => [valuesOf(row.facets), Number(row.count)]),
    bytes: found.reduce((sum, row) => sum + Number(row.bytes), 0),
    snapshot: rows.at(-1)!.snapshot as string,
  };
}

export class Tallies<K> {
  #groups = new Map<string, { key: Partial<K>; count: number }>();
  #size = 0;
  bytes = 0;
  /** Another number after each change that is known of. */
  state = 0;
  #seen: (transaction: bigint) => boolean = () => true;
  /** What came while a fresh count was under way. */
  #late: { transaction: bigint; difference: Difference }[] = [];
  #isCounting = false;

  constructor(readonly spec: Pick<RecordsSpec<any, K>, "name" | "facets">) {}

  /** Takes over a fresh count. To be called by one at a time. */
  async recount(count: () => Promise<Counted>): Promise<void> {
    this.#isCounting = true;
    try {
      const { groups, bytes, snapshot } = await count();
      this.#seen = seenBy(snapshot);
      this.#groups = new Map();
      this.#size = 0;
      this.bytes = bytes;
      this.#add({ groups: [...groups], bytes: 0 });
    } finally {
      this.#isCounting = false;
      for (const { transaction, difference } of this.#late.splice(0))
        this.apply(transaction, difference);
    }
  }

  apply(transaction: bigint, difference: Difference): void {
    if (this.#isCounting) this.#late.push({ transaction, difference });
    else if (!this.#seen(transaction)) this.#add(difference);
  }

  #add({ groups, bytes }: Difference): void {
    this.state++;
    this.bytes += bytes;
    for (const [values, count] of groups) {
      const kind = JSON.stringify(values);
      const known = this.#groups.get(kind);
      this.#size += count;
      if (!known) this.#groups.set(kind, { key: this.#keyOf(values), count });
      else if (known.count + count === 0) this.#groups.delete(kind);
      else known.count += count;
    }
  }

  #keyOf(values: unknown[]): Partial<K> {
    return Object.fromEntries(
      this.spec.facets.map((facet, at) => [facet, values[at]]),
    ) as unknown as Partial<K>;
  }

  count(where?: Where<K>): number {
    if (where === undefined) return this.#size;
    const other = this.otherThanFacets(where);
    if (other) throw new Error(`"${other.field}" of ${this.spec.name} is none of its facets.`);
    const isMeant = matcherOf(where);
    let sum = 0;
    for (const { key, count } of this.#groups.values()) if (isMeant(key)) sum += count;
    return sum;
  }

  otherThanFacets(where: Where<K>) {
    const facets: readonly string[] = this.spec.facets;
    return termsOf(where)
      .flat()
      .find(({ field }) => !facets.includes(field));
  }

  groups(): Group<K>[] {
    return [...this.#groups.values()].map(({ key, count }) => ({ key, count }));
  }
}

/** Collects what one transaction changes. */
export class Differences<T, K> {
  readonly #groups = new Map<string, [values: unknown[], count: number]>();
  bytes = 0;

  constructor(
    readonly spec: { readonly facets: readonly (keyof K & string)[]; key(record: T): K },
  ) {}

  static from<T, K>(
    spec: { readonly facets: readonly (keyof K & string)[]; key(record: T): K },
    { groups, bytes }: Difference,
  ): Differences<T, K> {
    const made = new Differences<T, K>(spec);
    for (const [values, count] of groups) made.#groups.set(JSON.stringify(values), [values, count]);
    made.bytes = bytes;
    return made;
  }

  record(record: T, bytes: number, sign: 1 | -1): void {
    this.key(this.spec.key(record), bytes, sign);
  }

  key(key: Partial<K>, bytes: number, sign: 1 | -1): void {
    this.bytes += sign * bytes;
    const values = this.spec.facets.map((facet) => key[facet] ?? null);
    const kind = JSON.stringify(values);
    const known = this.#groups.get(kind);
    if (known) known[1] += sign;
    else this.#groups.set(kind, [values, sign]);
  }

  get all(): Difference {
    const groups = [...this.#groups.values()]
      .filter(([, count]) => count !== 0)
      .map(([values, count]): [unknown[], number] => [values, count]);
    return { groups, bytes: this.bytes };
  }
}

/** Which transactions a snapshot, `xmin:xmax:under way`, has seen. */
function seenBy(snapshot: string): (transaction: bigint) => boolean {
  const [least = "0", most = "0", running = ""] = snapshot.split(":");
  const underWay = new Set(running.split(",").filter(Boolean).map(BigInt));
  const [from, to] = [BigInt(least), BigInt(most)];
  return (transaction) => transaction < from || (transaction < to && !underWay.has(transaction));
}
