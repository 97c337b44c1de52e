/**
 * A process that changes four entities in one transaction, again and again, until it is killed. Prints each finished
 * one; with "half" it stops in the middle of its first.
 */
import { tmpdir } from "node:os";
import { parseDatabaseUrl } from "../../../../src/server/shared/databaseUrl.ts";
import { postgresEngine } from "../../../../src/server/storage/postgres/postgresEngine.ts";
import { SAMPLES, together } from "./together.ts";

const [url = "", how = ""] = process.argv.slice(2);
const store = await postgresEngine(parseDatabaseUrl(url), tmpdir()).open({
  entities: SAMPLES,
  log: () => {},
});
for (let at = 0; ; at++) {
  const id = `${process.pid}-${at}`;
  const half = async () => {
    process.stdout.write("half\n");
    await new Promise(() => {});
  };
  await together(store, id, how === "half" ? half : undefined);
  process.stdout.write(`${id}\n`);
}
