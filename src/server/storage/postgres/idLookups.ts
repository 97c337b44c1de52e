/** Which ids exist in any of some lists: concurrent lookups share one statement. */
import { CommitQueue, returning } from "../commitQueue.ts";
import type { Database } from "./database.ts";
import { recordsTable } from "./recordColumns.ts";
import { asKept, keepable } from "./whereSql.ts";

type Ids = readonly string[];

/** The limit of lookups per statement. */
const AT_ONCE = 500;

export class IdLookups {
  /** By the lists' names. */
  readonly #queues = new Map<string, CommitQueue<Ids>>();

  constructor(readonly database: Database) {}

  /** Throws `cannot_store`. */
  present(lists: readonly string[], ids: Ids): Promise<ReadonlySet<string>> {
    const key = lists.join(" ");
    const queue = this.#queues.get(key) ?? new CommitQueue(AT_ONCE, this.#lookingInto(lists));
    this.#queues.set(key, queue);
    return queue.run(ids);
  }

  #lookingInto(lists: readonly string[]) {
    const anyOfThem = "any(array(select json_array_elements_text($1::text::json)))";
    const statement = lists
      .map(
        (name) =>
          `select id from ${this.database.table(recordsTable(name))} where id = ${anyOfThem}`,
      )
      .join(" union all ");
    return async (asks: readonly Ids[]) => {
      const ids = asks.flat().map(keepable);
      const rows = await this.database.read(statement, [JSON.stringify(ids)]);
      const found = new Set(rows.map(({ id }: { id: string }) => asKept(id)));
      return asks.map((each) => returning(new Set(each.filter((id) => found.has(id)))));
    };
  }

  /** Resolves once all lookups are done. */
  async close(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((each) => each.close()));
  }
}
