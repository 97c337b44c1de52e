/**
 * The system calls of the built executable before it responds, and its behavior when the system refuses them, traced
 * and injected by strace. `FAULTS=700 bun test tests/attacks/systemCalls.test.ts` runs longer. Skipped without
 * strace.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { dirname, join } from "node:path";
import type { TestResponse, Client, Method } from "../support/client.ts";
import { makeForm } from "../support/enquiryForm.ts";
import { createPicture } from "../support/pictures.ts";
import {
  createSiteFolder,
  getProgramPath,
  removeSiteFolder,
  serveProgram,
  type RunningProgram,
  type SiteFolder,
} from "../support/program.ts";
import { setUpServedSite } from "../support/servedSite.ts";
import { OWNER_ENV, createCallers, OWNER } from "../support/site.ts";
import {
  readSystemCalls,
  canTrace,
  type SystemCall,
  findTracedProcess,
  createTraceCommand,
  withInjectedFault,
} from "../support/trace.ts";
import { waitForValue } from "../support/waits.ts";

const FAULT_COUNT = Number(process.env["FAULTS"] ?? 24);
/** The number of faults between two restarts, each of which shows what was stored. */
const FAULTS_PER_START = 4;

setDefaultTimeout(60_000 + FAULT_COUNT * 5000);
const ENV = { ...OWNER_ENV, RATE_LIMIT: "off" };

/** The request, and the name under which the created id is stored: it replaces `{name}` in later requests. */
type Write = readonly [call: string, body?: unknown, keptAs?: string];

const SUBSCRIBER = { email: "a@example.com" };
const PASSWORDS = { currentPassword: OWNER.password, newPassword: "nine velvet rooms away" };
const PICTURE = new FormData();
PICTURE.set(
  "file",
  new File([await createPicture("png", 700, 400)], "a.png", { type: "image/png" }),
);

/** Every kind of write; each uses what those before it created. */
const WRITES: Record<string, Write> = {
  "a save of a section": ["POST hero", { mainTitle: "Second" }],
  "a new item": ["POST statistics", { value: "1", label: "a" }, "item"],
  "a changed item": ["PUT statistics/{item}", { value: "2" }],
  "a new order": ["POST statistics/reorder", { updates: [{ id: "{item}", order: 3 }] }],
  "an item into the bin": ["DELETE statistics/{item}"],
  "an item out of the bin": ["POST bin/{item}/restore"],
  "a new form": ["POST forms", { title: "F", isActive: true }, "form"],
  "a new step": ["POST form-steps", { formId: "{form}", title: "S" }, "step"],
  "a new field": ["POST form-fields", { stepId: "{step}", fieldType: "text", label: "N" }, "field"],
  "an enquiry": [
    "POST form-submissions",
    { formId: "{form}", data: { "{field}": "Nora" } },
    "sent",
  ],
  "an enquiry that is read": ["PUT form-submissions/{sent}/status", { status: "reviewed" }],
  "a deleted enquiry": ["DELETE form-submissions/{sent}"],
  "somebody who joins": ["POST email-subscriptions", SUBSCRIBER],
  "somebody who leaves": ["POST email-subscriptions/unsubscribe", SUBSCRIBER],
  "somebody who is erased": ["POST people/erase", SUBSCRIBER],
  "a picture": ["POST upload", PICTURE, "picture"],
  "a picture into the bin": ["DELETE uploads/{picture}"],
  "a picture out of the bin": ["POST bin/{picture}/restore"],
  "a form into the bin": ["DELETE forms/{form}"],
  "an earlier version": ["POST history/hero/1/restore"],
  "a login": ["POST auth/login", OWNER],
  "a logout": ["POST auth/logout"],
  "another password": ["POST auth/password", PASSWORDS],
};
/** Writes of visitors without a session. */
const VISITOR_WRITES = /^an enquiry$|who joins|who leaves|^a log/;

describe.skipIf(!canTrace)("a write is on the disk before the response to it", () => {
  let site: SiteFolder;
  let serving: RunningProgram;
  let owner: Client;
  let visitor: Client;
  let trace: string;
  const ids = new Map<string, string>();
  const fillPlaceholders = (text: string) =>
    text.replaceAll(/\{(\w+)\}/g, (_, name) => ids.get(name)!);

  beforeAll(async () => {
    site = await createSiteFolder();
    trace = join(site.folder, "trace");
    serving = await serveProgram(site, ENV, {
      command: [...createTraceCommand(trace), getProgramPath()],
    });
    const callers = createCallers(serving.url);
    [owner, visitor] = [await callers.owner(), callers.visitor()];
  });
  afterAll(async () => {
    process.kill(await findTracedProcess(serving.pid), "SIGTERM");
    await serving.stop();
    await removeSiteFolder(site);
  });

  test.each(Object.keys(WRITES))("%s", async (name) => {
    const { nextLine } = readSystemCalls(trace, 0);
    const [call, payload, idName] = WRITES[name]!;
    const [method, path] = fillPlaceholders(call).split(" ") as [Method, string];
    const isJson = payload !== undefined && payload !== PICTURE;
    const sent = isJson ? JSON.parse(fillPlaceholders(JSON.stringify(payload))) : payload;
    const caller = VISITOR_WRITES.test(name) ? visitor : owner;
    const { status, body } = await caller.call(method, `/api/${path}`, sent);
    expect([name, Math.floor(status / 100)]).toEqual([name, 2]);
    if (idName) ids.set(idName, body.id);
    const isAnswer = ({ name: call, args }: SystemCall) =>
      call.startsWith("send") && /HTTP\/1\.1 20/.test(args);
    await waitForValue(() => readSystemCalls(trace, nextLine).calls.some(isAnswer), true);
    const { calls } = readSystemCalls(trace, nextLine);
    const before = calls.slice(0, calls.findLastIndex(isAnswer));
    const { written, unsynced } = findWriteState(
      before,
      site,
      findSyncedFiles(readSystemCalls(trace, 0).calls),
    );
    expect(unsynced).toEqual([]);
    expect(written).toBeGreaterThan(0);
  });
});

/** Writes that responses don't wait for: the audit log, the reserve, login attempts, data for the next start. */
const IGNORED_FILES = /\/data\/audit-log(\/|$)|\/\.reserve$|\/health\.|\/\.outlines/;

/** The files that are opened so that each write is synced. */
function findSyncedFiles(calls: readonly SystemCall[]): ReadonlySet<string> {
  const opened = calls.filter(({ args, result }) => result >= 0 && args.includes("O_DSYNC"));
  return new Set(opened.flatMap(({ args }) => /"([^"]+)"/.exec(args)?.[1] ?? []));
}

/** The names and bytes that these calls left unsynced, and how many names and lines they wrote. */
function findWriteState(
  calls: readonly SystemCall[],
  { dataDir, uploadsDir }: SiteFolder,
  synced: ReadonlySet<string>,
) {
  const unsynced = new Set<string>();
  let written = 0;
  const isOurs = (path: string) =>
    (path.startsWith(dataDir) || path.startsWith(uploadsDir)) && !IGNORED_FILES.test(path);
  for (const { name, args, result } of calls) {
    if (result < 0) continue;
    // strace shows a descriptor with its path: 11</data/hero.json>
    const descriptor = /^\d+<([^>]+)>/.exec(args)?.[1] ?? "";
    const [path = "", target = ""] = [...args.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(
      ([, it]) => it!,
    );
    if (name.endsWith("sync")) unsynced.delete(descriptor);
    else if (name.includes("write") && isOurs(descriptor)) {
      if (synced.has(descriptor)) written++;
      else unsynced.add(descriptor);
    } else if (name.startsWith("open") && args.includes("O_CREAT") && isOurs(path)) {
      if (!synced.has(path)) unsynced.add(path);
      unsynced.add(dirname(path));
    } else if (name.startsWith("rename") && isOurs(target)) {
      // A renamed file is as durable as it was before.
      if (unsynced.delete(path)) unsynced.add(target);
      unsynced.add(dirname(target));
      written++;
    } else if (name.startsWith("link") && isOurs(target)) unsynced.add(dirname(target));
    else if (name.startsWith("unlink") && isOurs(path)) {
      unsynced.delete(path);
      if (!path.endsWith(".tmp")) unsynced.add(dirname(path));
    }
  }
  return { unsynced: [...unsynced], written };
}

/** The calls for a line in the journal: its writing, and the removal of a failed line. */
const LINE_CALLS = ["pwrite64", "pwrite64,ftruncate", "pwrite64,fsync"] as const;
/** The calls for a new file in addition to its line. */
const FILE_CALLS = [...LINE_CALLS, "openat", "fsync", "rename", "link", "fchmod"] as const;
const ERRORS = ["EIO", "ENOSPC", "EROFS", "EACCES", "EMFILE", "EDQUOT"] as const;

describe.skipIf(!canTrace)("a failing system call", () => {
  const site = setUpServedSite();

  test(`in each of ${FAULT_COUNT} requests loses no acknowledged change, and no refused change is stored`, async () => {
    let owner = await site.owner();
    const { formId, ids } = await makeForm(site, "F", [["text", "N"]]);
    const lists = ["hero", "statistics", "uploads", "email-subscriptions"];
    const paths = [...lists, `form-submissions/${formId}`];
    /** The stored content that these requests can change. */
    const state = async () =>
      JSON.stringify(
        await Promise.all(paths.map(async (path) => (await owner.get(`/api/${path}`)).body)),
      );
    const picture = await createPicture("png", 40, 40);
    const outcomes = { refused: 0, stored: 0, ended: 0 };
    const recent: string[] = [];
    const upload = (at: number) => {
      const body = new FormData();
      body.set("file", new File([picture], `${at}.png`, { type: "image/png" }));
      return owner.post("/api/upload", body);
    };
    const works: ((at: number) => Promise<TestResponse>)[] = [
      upload,
      (at) => owner.post("/api/hero", { mainTitle: `Title ${at}` }),
      (at) => owner.post("/api/statistics", { value: `${at}`, label: "x" }),
      (at) => owner.post("/api/email-subscriptions", { email: `p${at}@example.com` }),
      (at) => owner.post("/api/form-submissions", { formId, data: { [ids[0]!]: `${at}` } }),
      async () => {
        const [first] = (await owner.get("/api/statistics")).body;
        return first ? owner.delete(`/api/statistics/${first.id}`) : owner.get("/api/hero");
      },
    ];
    for (let at = 0; at < FAULT_COUNT; at++) {
      const work = works[at % works.length]!;
      const calls = work === upload ? FILE_CALLS : LINE_CALLS;
      const call = calls[Math.floor(at / works.length) % calls.length]!;
      const error = ERRORS[Math.floor(Math.random() * ERRORS.length)]!;
      // strace counts calls per thread: "1+" are all of them, "2+" all after the first.
      const when = Math.random() < 0.8 ? "1+" : "2+";
      const before = await state();
      const answer = await withInjectedFault(site.pid, call, `error=${error}:when=${when}`, () =>
        work(at).catch(() => undefined),
      );
      const outcome = `${call} ${error} ${when}: ${answer?.status ?? "no answer"}`;
      // Only a failed sync, or a line that can't be removed, ends the process, perhaps during this request.
      const shown = await state().catch(() => undefined);
      const wasAlive = shown !== undefined;
      if (!wasAlive) expect(outcome).toMatch(/fsync|ftruncate/);
      else if (answer && answer.status >= 400) expect([outcome, shown]).toEqual([outcome, before]);
      if (answer && answer.status < 300) outcomes.stored++;
      else if (answer) outcomes.refused++;
      else outcomes.ended++;
      recent.push(outcome);
      if (wasAlive && (at + 1) % FAULTS_PER_START > 0) continue;
      await site.stop("SIGKILL");
      await site.start();
      owner = await site.owner();
      if (wasAlive) expect([recent, await state()]).toEqual([recent, shown]);
      site.expectUndamaged();
      recent.length = 0;
    }
    if (FAULT_COUNT > 24) console.log(`${FAULT_COUNT} faults: ${JSON.stringify(outcomes)}`);
    expect(outcomes.refused + outcomes.ended).toBeGreaterThan(0);
  });
});
