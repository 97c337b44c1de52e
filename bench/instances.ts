/**
 * Compares the cost of three instances behind HAProxy with the cost of one: `bun bench/instances.ts`. A machine with
 * two cores can't show how much three instances serve, but it shows the CPU time of each process per request. If three
 * instances need no more of it than one, then three with a core each serve three times as much.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { allEntities } from "../src/schema/index.ts";
import { parseDatabaseUrl } from "../src/server/shared/databaseUrl.ts";
import { createPostgresEngine } from "../src/server/storage/postgres/postgresEngine.ts";
import { addForm, createEnquiry } from "../tests/support/enquirySite.ts";
import { startPostgres } from "../tests/support/postgres.ts";
import { type ProgramSite, startProgram } from "../tests/support/program.ts";
import {
  createTemporaryFolder,
  measureInTurns,
  readTotalCpuTime,
  median,
  findPostgresProcesses,
  printRow,
} from "./measure.ts";
import { findFreePort } from "../tests/support/ports.ts";

/**
 * The requests per second for each instance, whether it is the only one or one of three. The load is the same, since an
 * instance with less to do wakes more often for each request. The number is far below an instance's limit, so that two
 * cores suffice for all.
 */
const REQUESTS_PER_SECOND = 600;
const CONNECTIONS = 16;
const ROUND_MS = 4000;
const ROUNDS = Number(process.env["ROUNDS"] ?? 5);
/** The number of enquiries among twenty requests, in the mixed load. */
const ENQUIRIES_PER_20_REQUESTS = 1;

const folder = await createTemporaryFolder();
const postgres = await startPostgres({ isDurable: true });
try {
  const groups = [await startGroup(1), await startGroup(3)];
  for (const load of ["pages", "mixed"] as const) {
    const rounds = await measureInTurns(groups, ROUNDS, (group) => measure(group, load));
    const computeMedians = (part: keyof Figures) =>
      rounds.map((figures) => median(figures.map((each) => each[part])));
    const formatMedians = (part: keyof Figures) =>
      `${computeMedians(part)
        .map((each) => each.toFixed(0))
        .join(" and ")} µs`;
    const [one = 0, three = 0] = computeMedians("instances");
    printRow({
      what: `${load}: CPU of a request, 1 and 3 instances`,
      median: formatMedians("instances"),
      ratio: `three serve ${((3 * one) / three).toFixed(2)} times one`,
      goal: ">= 2.5",
    });
    printRow({
      what: `${load}: the database's, the balancer's`,
      median: `${formatMedians("database")}, ${formatMedians("balancer")}`,
    });
  }
  for (const group of groups) await group.stop();
} finally {
  await postgres.remove();
  await rm(folder, { recursive: true, force: true });
}

/** Microseconds of CPU for each request, by program. */
interface Figures {
  readonly instances: number;
  readonly database: number;
  readonly balancer: number;
}

type Load = "pages" | "mixed";
type Group = Awaited<ReturnType<typeof startGroup>>;

async function startGroup(instances: number) {
  const database = postgres.createUrl(`of${instances}`);
  const engine = createPostgresEngine(parseDatabaseUrl(database), folder);
  const store = await engine.open({ entities: allEntities });
  await addForm(store);
  await store.close();
  const env = { DATABASE_URL: database, RATE_LIMIT: "off", TRUSTED_PROXIES: "127.0.0.1" };
  const sites: ProgramSite[] = [];
  for (let index = 0; index < instances; index++) sites.push(await startProgram({ env }));
  const port = findFreePort();
  const file = join(folder, `${instances}.cfg`);
  await Bun.write(file, await createBalancerConfig(port, sites));
  const balancer = Bun.spawn(["haproxy", "-db", "-f", file], {
    stdout: "ignore",
    stderr: "ignore",
  });
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(url).catch(() => undefined))?.ok) await Bun.sleep(50);
  return {
    url,
    pids: sites.map(({ pid }) => pid),
    balancer: balancer.pid,
    async stop() {
      balancer.kill();
      await Promise.all(sites.map((site) => site.stop()));
    },
  };
}

/** Creates HAProxy's configuration from the file of docs/deploy, with these addresses. */
async function createBalancerConfig(
  port: number,
  sites: readonly { url: string }[],
): Promise<string> {
  const template = await Bun.file(`${import.meta.dir}/../docs/deploy/haproxy.cfg`).text();
  const lines = template
    .replace("bind :80", `bind 127.0.0.1:${port}`)
    .split("\n")
    .filter((line) => !line.startsWith("  server "));
  const servers = sites.map(
    ({ url }, index) => `  server s${index} ${url.slice("http://".length)} cookie s${index}`,
  );
  return [...lines, ...servers, ""].join("\n");
}

async function measure(group: Group, load: Load): Promise<Figures> {
  const before = await readCpuTimes(group);
  const requests = await sendRequests(group, load);
  const after = await readCpuTimes(group);
  const computePerRequest = (part: keyof Figures) => (after[part] - before[part]) / requests;
  return {
    instances: computePerRequest("instances"),
    database: computePerRequest("database"),
    balancer: computePerRequest("balancer"),
  };
}

async function readCpuTimes({ pids, balancer }: Group): Promise<Figures> {
  return {
    instances: await readTotalCpuTime(pids),
    database: await readTotalCpuTime(await findPostgresProcesses(postgres)),
    balancer: await readTotalCpuTime([balancer]),
  };
}

/** Sends the load of a round. Returns the number of responses. */
async function sendRequests({ url, pids }: Group, load: Load): Promise<number> {
  const body = JSON.stringify(createEnquiry());
  const headers = { "content-type": "application/json", origin: url };
  const startedAt = performance.now();
  let responseCount = 0;
  const runVisitor = async () => {
    for (let index = 0; performance.now() < startedAt + ROUND_MS; index++) {
      const dueAt = startedAt + (index * CONNECTIONS * 1000) / REQUESTS_PER_SECOND;
      await Bun.sleep(Math.max(0, dueAt - performance.now()));
      const isEnquiry = load === "mixed" && index % 20 < ENQUIRIES_PER_20_REQUESTS;
      const response = isEnquiry
        ? await fetch(`${url}/api/form-submissions`, { method: "POST", body, headers })
        : await fetch(`${url}/`);
      await response.bytes();
      if (!response.ok) throw new Error(`Returned ${response.status}.`);
      responseCount++;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS * pids.length }, runVisitor));
  return responseCount;
}
