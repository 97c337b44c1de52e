/** Like `standstill.ts`, in a database: stored there, and sent to serving instances. */
import type { Destination, Standstill } from "../standstill.ts";
import { publishFrom } from "./changes.ts";
import type { Database } from "./database.ts";
import { countThere, LOOK_EVERY } from "./presence.ts";
import { readMeta, setMeta } from "./meta.ts";

/** The topic of start and end for instances. */
export const STANDSTILL = "standstill";

export function pgStandstill(
  look: <R>(work: (database: Database) => Promise<R>) => Promise<R>,
): Standstill {
  return {
    underWay: () =>
      look(async (database) => {
        const { moving } = await readMeta(database, database.sql);
        return moving === undefined ? undefined : (JSON.parse(moving) as Destination);
      }),
    begin: (destination) =>
      look(async (database) => {
        await setMeta(database, database.sql, { moving: JSON.stringify(destination) });
        await publishFrom(database, STANDSTILL);
        // An instance whose notice connection is down sees it at its next check.
        if ((await countThere(database, database.sql)) > 0) await Bun.sleep(LOOK_EVERY + 500);
      }),
    end: () =>
      look(async (database) => {
        await database.sql.unsafe(`delete from ${database.table("meta")} where name = 'moving'`);
        await publishFrom(database, STANDSTILL);
      }),
  };
}
