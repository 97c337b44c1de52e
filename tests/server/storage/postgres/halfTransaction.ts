/** A process that stops in the middle of a transaction over four entities, and prints that it has. */
import { tmpdir } from "node:os";
import { parseDatabaseUrl } from "../../../../src/server/shared/databaseUrl.ts";
import { createPostgresEngine } from "../../../../src/server/storage/postgres/postgresEngine.ts";
import { SAMPLE_ENTITIES, runSampleTransaction } from "./sampleTransaction.ts";

const store = await createPostgresEngine(parseDatabaseUrl(process.argv[2]!), tmpdir()).open({
  entities: SAMPLE_ENTITIES,
  log: () => {},
});
await runSampleTransaction(store, "half", async () => {
  process.stdout.write("half\n");
  await new Promise(() => {});
});
