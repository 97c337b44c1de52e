/**
 * Durable enquiries at 64 connections: `bun bench/durable.ts` sends them to a site of files and to one on
 * PostgreSQL, in turns, and says how many a second each has stored. The database keeps what it acknowledges
 * (fsync), as the files do.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allEntities } from "../src/schema/index.ts";
import { parseDatabaseUrl } from "../src/server/shared/databaseUrl.ts";
import { folderEngine } from "../src/server/storage/folderEngine.ts";
import { postgresEngine } from "../src/server/storage/postgres/postgresEngine.ts";
import { addForm, enquiry } from "../tests/support/enquirySite.ts";
import { startPostgres } from "../tests/support/postgres.ts";
import { startProgram } from "../tests/support/program.ts";
import { median, memoryOf, say } from "./measure.ts";

const CONNECTIONS = 64;
const ROUNDS = Number(process.env["ROUNDS"] ?? 5);
const ROUND_MS = 3000;
/** What is started instead of the built program, such as another build, in turns with it. */
const other = process.argv[2];

const folder = await mkdtemp(join(tmpdir(), "limelight-bench-"));
const postgres = await startPostgres({ isDurable: true });
try {
  const sites = [
    await siteOn("files"),
    await siteOn("postgresql"),
    ...(other ? [await siteOn("before", [other])] : []),
  ];
  for (let round = 0; round <= ROUNDS; round++)
    for (const site of sites) {
      const rate = await load(site.url, ROUND_MS);
      // The first warms both up.
      if (round > 0) site.rates.push(rate);
    }
  const [files, ...others] = sites.map(({ rates }) => median(rates));
  for (const { name, rates, pid } of sites)
    say(
      `durable enquiries/s, ${name}`,
      `${rates.map(Math.round).join(" ")}; ${Math.round((await memoryOf(pid)).resident)} MB`,
    );
  say("postgresql : files", others.map((each) => (each / files!).toFixed(2)).join(" "), ">= 1.0");
  for (const site of sites) await site.stop();
} finally {
  await postgres.remove();
  await rm(folder, { recursive: true, force: true });
}

async function siteOn(name: string, command?: readonly string[]) {
  const home = join(folder, name);
  const onFiles = name === "files";
  const env = { RATE_LIMIT: "off", ...(!onFiles && { DATABASE_URL: postgres.url(name) }) };
  const engine = onFiles
    ? folderEngine(join(home, "data"))
    : postgresEngine(parseDatabaseUrl(postgres.url(name)), join(home, "data"));
  await Bun.write(join(home, "data", ".keep"), "");
  const store = await engine.open({ entities: allEntities });
  await addForm(store);
  await store.close();
  const site = await startProgram({ folder: home, env, ...(command && { command }) });
  return { ...site, name, rates: [] as number[] };
}

/** Stored in a second. */
async function load(url: string, ms: number): Promise<number> {
  const body = JSON.stringify(enquiry());
  const headers = { "content-type": "application/json" };
  const end = performance.now() + ms;
  let stored = 0;
  const send = async () => {
    while (performance.now() < end) {
      const answer = await fetch(`${url}/api/form-submissions`, { method: "POST", body, headers });
      await answer.bytes();
      if (answer.status !== 201) throw new Error(`answered ${answer.status}`);
      stored++;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
  return (stored * 1000) / ms;
}
