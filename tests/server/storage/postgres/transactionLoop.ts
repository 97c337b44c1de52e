/**
 * One instance that changes four entities at once, again and again: a process of its own, to be killed. Says when
 * each is done; with "half", instead, when it is in the middle of its first, where it stays.
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
