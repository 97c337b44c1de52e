/**
 * What a million submissions cost a site on PostgreSQL: `bun bench/million.ts`, or with another number after it.
 * They are multiplied in the database, from some that went through the store.
 */
import { SQL } from "bun";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allEntities, entities } from "../src/schema/index.ts";
import { parseDatabaseUrl } from "../src/server/shared/databaseUrl.ts";
import { postgresEngine } from "../src/server/storage/postgres/postgresEngine.ts";
import { recordsTable } from "../src/server/storage/postgres/recordColumns.ts";
import { addForm } from "../tests/support/enquirySite.ts";
import { startPostgres } from "../tests/support/postgres.ts";
import { startProgram } from "../tests/support/program.ts";
import { median, memoryOf, tell, timesOf } from "./measure.ts";
import { submission } from "./seedEnquiries.ts";

const MANY = Number(process.argv[2] ?? 1_000_000);
const SEEDED = 1000;
const ROUNDS = Number(process.env["ROUNDS"] ?? 7);
const LIST = "/api/form-submissions/form";

const folder = await mkdtemp(join(tmpdir(), "limelight-bench-"));
const postgres = await startPostgres({ isDurable: true });
try {
  for (const name of ["few", "many"]) await seed(name);
  await multiply("many");
  const [few, many] = [await starts("few"), await starts("many")];
  tell({
    what: `start with ${MANY} submissions`,
    ...figures(many),
    ratio: `${ms(median(few))} with ${SEEDED}`,
    goal: "< 1 s",
  });
  const site = await start("many");
  const owner = await site.owner();
  const call = async (path: string, search?: object) => {
    const answer = search ? await owner.post(`${LIST}/search`, search) : await owner.get(path);
    if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}.`);
    return answer;
  };
  const calls: readonly [what: string, path: string, search?: object, goal?: string][] = [
    ["first page of 50", `${LIST}?limit=50`, undefined, "< 50 ms"],
    ["a page far behind", `${LIST}?limit=50&offset=${Math.floor(MANY / 2)}`],
    ["search for a text that one has", LIST, page(`person${Math.floor(MANY / 3)}@`), "< 50 ms"],
    ["search for a text that a hundred have", LIST, page(`person${MANY / 1000}`), "< 50 ms"],
    ["search for a text that nobody has", LIST, page("needle"), "< 50 ms"],
    ["search for a text that a tenth have", LIST, page("person1"), "< 50 ms"],
    ["search for a text that all have", LIST, page("example"), "< 50 ms"],
    ["search for two letters that all have", LIST, page("xa"), "< 50 ms"],
    ["search for two letters that nobody has", LIST, page("zq")],
    ["count of those that are a tenth", LIST, { search: "person1", limit: 1 }],
    ["count of those that are all", LIST, { search: "example", limit: 1 }],
  ];
  for (const [what, path, search, goal] of calls) {
    await call(path, search);
    tell({ what, ...figures(await timesOf(() => call(path, search), ROUNDS)), goal });
  }
  const { resident } = await memoryOf(site.pid);
  tell({ what: "memory", median: `${Math.round(resident)} MB`, goal: "< 150 MB" });
  await site.stop();
} finally {
  await postgres.remove();
  await rm(folder, { recursive: true, force: true });
}

/** What the dashboard asks for first. */
function page(search: string) {
  return { search, limit: 20, count: false };
}

async function seed(name: string): Promise<void> {
  const engine = postgresEngine(parseDatabaseUrl(postgres.url(name)), folder);
  const store = await engine.open({ entities: allEntities });
  await addForm(store);
  const list = store.of(entities.formSubmissions);
  await Promise.all(Array.from({ length: SEEDED }, (_, at) => list.insert(submission(at))));
  await store.close();
  await mkdir(join(folder, name));
  await (await start(name)).stop();
}

/** Each of those that are there again and again, with another person's number. */
async function multiply(name: string): Promise<void> {
  const sql = new SQL(postgres.url("").replace(/\?.*/, ""), { max: 1 });
  const table = `"${name}"."${recordsTable(entities.formSubmissions.name)}"`;
  await sql.unsafe(`insert into ${table} (id, uniq, version, keys, search, bytes, value)
    select gen_random_uuid()::text, uniq, version, keys, replace(search, old, new), bytes,
      replace(value::text, old, new)::json
    from (select *, (seq - 1)::text as old from ${table}) as each,
      lateral (select (n * ${SEEDED} + seq - 1)::text as new
        from generate_series(1, ${MANY / SEEDED - 1}) as n) as again`);
  await sql.unsafe(`vacuum (analyze) ${table}`);
  await sql.close();
}

function start(name: string) {
  const env = { RATE_LIMIT: "off", DATABASE_URL: postgres.url(name) };
  return startProgram({ folder: join(folder, name), env });
}

/** From the start of the process to the first page. */
async function starts(name: string): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const site = await start(name);
    times.push(site.firstAnswer);
    await site.stop();
  }
  return times;
}

function figures(times: readonly number[]) {
  const spread = `${ms(Math.min(...times))} to ${ms(Math.max(...times))}`;
  return { median: ms(median(times)), spread };
}

function ms(time: number): string {
  return `${time.toFixed(time < 100 ? 1 : 0)} ms`;
}
