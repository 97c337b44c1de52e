/**
 * Measures durable enquiries over 64 connections: `bun bench/durable.ts` sends them to a site of files and to a site on
 * PostgreSQL, in turns, and prints how many each stored per second, and the processor time for each enquiry. Each
 * enquiry has a proof of the time at which it was begun, like those from pages; with `PLAIN=1` it has none, like those
 * of other clients. With `CONNECTIONS=1` they are sent one after the other. The database syncs (fsync) like the files,
 * and has analyzed its new tables once, as it does by itself within a minute.
 */
import { SQL } from "bun";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { allEntities } from "../src/schema/index.ts";
import { MIN_FILLING_TIME_MS } from "../src/schema/enquiry/questions.ts";
import { parseDatabaseUrl } from "../src/server/shared/databaseUrl.ts";
import { createFolderEngine } from "../src/server/storage/files/folderEngine.ts";
import { createPostgresEngine } from "../src/server/storage/postgres/postgresEngine.ts";
import { addForm, ANSWERS, createEnquiry } from "../tests/support/enquirySite.ts";
import { startPostgres } from "../tests/support/postgres.ts";
import { startProgram } from "../tests/support/program.ts";
import {
  createTemporaryFolder,
  readTotalCpuTime,
  median,
  readMemory,
  findPostgresProcesses,
  printFigure,
} from "./measure.ts";

const CONNECTIONS = Number(process.env["CONNECTIONS"] ?? 64);
const ROUNDS = Number(process.env["ROUNDS"] ?? 5);
const ROUND_MS = 3000;
const isPlain = Boolean(process.env["PLAIN"]);

const folder = await createTemporaryFolder();
const postgres = await startPostgres({ isDurable: true });
try {
  const sites = [await startSite("files"), await startSite("postgresql")];
  if (!isPlain) for (const site of sites) await beginEnquiries(site, ROUND_MS);
  for (let round = 0; round <= ROUNDS; round++) {
    for (const site of sites) {
      const figures = await sendEnquiries(site, ROUND_MS);
      // The first round is a warm-up.
      if (round > 0) site.rounds.push(figures);
    }
    if (round === 0) await analyze();
  }
  const computeMedianRate = ({ rounds }: Site) => median(rounds.map(({ rate }) => rate));
  const [fileRate = 0, databaseRate = 0] = sites.map(computeMedianRate);
  for (const { name, rounds, pid } of sites) {
    const computeMedian = (part: "program" | "database") =>
      Math.round(median(rounds.map((each) => each[part])));
    printFigure(
      `durable enquiries/s, ${name}`,
      `${rounds.map(({ rate }) => Math.round(rate)).join(" ")}; ${Math.round((await readMemory(pid)).resident)} MB`,
    );
    printFigure(
      "CPU of one, program and database",
      `${computeMedian("program")} and ${computeMedian("database")} µs`,
    );
  }
  printFigure("postgresql : files", (databaseRate / fileRate).toFixed(2), ">= 1.0");
  for (const site of sites) await site.stop();
} finally {
  await postgres.remove();
  await rm(folder, { recursive: true, force: true });
}

/** Enquiries stored per second, and the program's and the database's microseconds of CPU for each. */
interface Figures {
  readonly rate: number;
  readonly program: number;
  readonly database: number;
}

type Site = Awaited<ReturnType<typeof startSite>>;

async function startSite(name: "files" | "postgresql") {
  const siteFolder = join(folder, name);
  const isFileSite = name === "files";
  const env = { RATE_LIMIT: "off", ...(!isFileSite && { DATABASE_URL: postgres.createUrl(name) }) };
  const engine = isFileSite
    ? createFolderEngine(join(siteFolder, "data"))
    : createPostgresEngine(parseDatabaseUrl(postgres.createUrl(name)), join(siteFolder, "data"));
  await Bun.write(join(siteFolder, "data", ".keep"), "");
  const store = await engine.open({ entities: allEntities });
  await addForm(store);
  await store.close();
  const site = await startProgram({ folder: siteFolder, env });
  return {
    ...site,
    name,
    pending: [] as StartedEnquiry[],
    sent: { count: 0 },
    rounds: [] as Figures[],
  };
}

/** The proof of a begun enquiry, and the time at which it was begun. */
interface StartedEnquiry {
  readonly started: string;
  readonly startMs: number;
}

async function beginEnquiry({ url, pending }: Site): Promise<void> {
  const response = await fetch(`${url}/api/filling-time`);
  const { started } = (await response.json()) as { started: string };
  pending.push({ started, startMs: performance.now() });
}

/** Begins as many enquiries as a round sends, so that none has to wait until it may be sent. */
async function beginEnquiries(site: Site, ms: number): Promise<void> {
  const end = performance.now() + ms;
  const beginUntilEnd = async () => {
    while (performance.now() < end) await beginEnquiry(site);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, beginUntilEnd));
}

/** Returns the proof of the enquiry that was begun first, once it may be sent. */
async function awaitNextProof({ pending }: Site): Promise<string> {
  const { started, startMs } = pending.shift()!;
  const remainingMs = startMs + MIN_FILLING_TIME_MS - performance.now();
  if (remainingMs > 0) await Bun.sleep(remainingMs);
  return started;
}

async function analyze(): Promise<void> {
  const sql = new SQL(postgres.createUrl("postgresql").replace(/\?.*$/, ""));
  await sql.unsafe("analyze");
  await sql.close();
}

async function sendEnquiries(site: Site, ms: number): Promise<Figures> {
  const { url, pid, sent } = site;
  const headers = { "content-type": "application/json" };
  const readCpuTimes = async () => ({
    program: await readTotalCpuTime([pid]),
    database: await readTotalCpuTime(await findPostgresProcesses(postgres)),
  });
  const before = await readCpuTimes();
  const end = performance.now() + ms;
  let stored = 0;
  const send = async () => {
    while (performance.now() < end) {
      // Different answers each time, since equal ones are stored once.
      const answers = { ...ANSWERS, name: `Ann Example ${++sent.count}` };
      if (!isPlain) await beginEnquiry(site);
      const body = {
        ...createEnquiry(answers),
        ...(!isPlain && { started: await awaitNextProof(site) }),
      };
      const response = await fetch(`${url}/api/form-submissions`, {
        method: "POST",
        body: JSON.stringify(body),
        headers,
      });
      await response.bytes();
      if (response.status !== 201) throw new Error(`Returned ${response.status}.`);
      stored++;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
  const after = await readCpuTimes();
  const computePerEnquiry = (part: "program" | "database") => (after[part] - before[part]) / stored;
  return {
    rate: (stored * 1000) / ms,
    program: computePerEnquiry("program"),
    database: computePerEnquiry("database"),
  };
}
