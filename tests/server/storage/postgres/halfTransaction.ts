/** A process that stops in the middle of a transaction over four entities, and says so. */
import { tmpdir } from "node:os";
import { parseDatabaseUrl } from "../../../../src/server/shared/databaseUrl.ts";
import { createPostgresEngine } from "../../../../src/server/storage/postgres/postgresEngine.ts";
import { SAMPLES, together } from "./together.ts";

const store = await createPostgresEngine(parseDatabaseUrl(process.argv[2]!), tmpdir()).open({
  entities: SAMPLES,
  log: () => {},
});
await together(store, "half", async () => {
  process.stdout.write("half\n");
  await new Promise(() => {});
});
