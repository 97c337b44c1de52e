/**
 * What the built executable asks of the system before it answers, and what it does when the system
 * refuses: seen and made by strace, on the real calls. `FAULTS=700 bun test tests/attacks/systemCalls.test.ts`
 * for a long run. Skipped, in words, where there is no strace.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { dirname, join } from "node:path";
import type { Answer, Client } from "../support/client.ts";
import { makeForm } from "../support/enquiryForm.ts";
import { pictureAs } from "../support/pictures.ts";
import {
  newSiteFolder,
  program,
  removeFolder,
  serveProgram,
  type Serving,
  type SiteFolder,
} from "../support/program.ts";
import { servedForEach } from "../support/servedSite.ts";
import { AS_OWNER, callersOf, OWNER } from "../support/site.ts";
import {
  callsIn,
  canTrace,
  type SystemCall,
  tracedBy,
  tracing,
  withFault,
} from "../support/trace.ts";
import { eventually } from "../support/waits.ts";

const FAULTS = Number(process.env["FAULTS"] ?? 24);

setDefaultTimeout(60_000 + FAULTS * 5000);
const ENV = { ...AS_OWNER, RATE_LIMIT: "off" };

interface Kit {
  readonly owner: Client;
  readonly visitor: Client;
  /** What earlier writes have made, by name. */
  readonly ids: Map<string, string>;
}

type Write = (kit: Kit) => Promise<Answer>;

/** Every kind of write there is; each finds what those before it have made. */
const WRITES: Record<string, Write> = {
  "a save of a section": ({ owner }) => owner.post("/api/hero", { mainTitle: "Second" }),
  "a new item": async ({ owner, ids }) =>
    kept(ids, "statistic", await owner.post("/api/statistics", { value: "1", label: "a" })),
  "a changed item": ({ owner, ids }) =>
    owner.put(`/api/statistics/${ids.get("statistic")}`, { value: "2" }),
  "a new order": ({ owner, ids }) =>
    owner.post("/api/statistics/reorder", { updates: [{ id: ids.get("statistic"), order: 3 }] }),
  "an item into the bin": ({ owner, ids }) =>
    owner.delete(`/api/statistics/${ids.get("statistic")}`),
  "an item out of the bin": ({ owner, ids }) =>
    owner.post(`/api/bin/${ids.get("statistic")}/restore`),
  "a new form": async ({ owner, ids }) =>
    kept(ids, "form", await owner.post("/api/forms", { title: "F", isActive: true })),
  "a new step": async ({ owner, ids }) =>
    kept(ids, "step", await owner.post("/api/form-steps", { formId: ids.get("form"), title: "S" })),
  "a new field": async ({ owner, ids }) => {
    const field = { stepId: ids.get("step"), fieldType: "text", label: "Name" };
    return kept(ids, "field", await owner.post("/api/form-fields", field));
  },
  "an enquiry": async ({ visitor, ids }) => {
    const data = { [ids.get("field")!]: "Nora" };
    const enquiry = { formId: ids.get("form"), data };
    return kept(ids, "enquiry", await visitor.post("/api/form-submissions", enquiry));
  },
  "an enquiry that is read": ({ owner, ids }) =>
    owner.put(`/api/form-submissions/${ids.get("enquiry")}/status`, { status: "reviewed" }),
  "a deleted enquiry": ({ owner, ids }) =>
    owner.delete(`/api/form-submissions/${ids.get("enquiry")}`),
  "somebody who joins": ({ visitor }) =>
    visitor.post("/api/email-subscriptions", { email: "a@example.com" }),
  "somebody who leaves": ({ visitor }) =>
    visitor.post("/api/email-subscriptions/unsubscribe", { email: "a@example.com" }),
  "somebody who is erased": ({ owner }) =>
    owner.post("/api/people/erase", { email: "a@example.com" }),
  "a picture": async ({ owner, ids }) => {
    const upload = new FormData();
    const bytes = await pictureAs("png", 700, 400);
    upload.set("file", new File([bytes], "a.png", { type: "image/png" }));
    return kept(ids, "picture", await owner.post("/api/upload", upload));
  },
  "a picture into the bin": ({ owner, ids }) => owner.delete(`/api/uploads/${ids.get("picture")}`),
  "a picture out of the bin": ({ owner, ids }) =>
    owner.post(`/api/bin/${ids.get("picture")}/restore`),
  "a form into the bin": ({ owner, ids }) => owner.delete(`/api/forms/${ids.get("form")}`),
  "an earlier version": ({ owner }) => owner.post("/api/history/hero/1/restore"),
  "a login": ({ visitor }) => visitor.post("/api/auth/login", OWNER),
  "a logout": ({ visitor }) => visitor.post("/api/auth/logout"),
  "another password": ({ owner }) => {
    const newPassword = "nine velvet rooms away";
    return owner.post("/api/auth/password", { currentPassword: OWNER.password, newPassword });
  },
};

function kept(ids: Map<string, string>, name: string, answer: Answer): Answer {
  ids.set(name, answer.body?.id);
  return answer;
}

describe.skipIf(!canTrace)("before a write is answered, it is on the disk:", () => {
  let site: SiteFolder;
  let serving: Serving;
  let kit: Kit;
  let trace: string;

  beforeAll(async () => {
    site = await newSiteFolder();
    trace = join(site.folder, "trace");
    serving = await serveProgram(site, ENV, { command: [...tracing(trace), program()] });
    const callers = callersOf(serving.url);
    kit = { owner: await callers.loginAsOwner(), visitor: callers.visitor(), ids: new Map() };
  });
  afterAll(async () => {
    process.kill(await tracedBy(serving.pid), "SIGTERM");
    await serving.stop();
    await removeFolder(site);
  });

  test.each(Object.keys(WRITES))("%s", async (name) => {
    const { next } = callsIn(trace, 0);
    const { status } = await WRITES[name]!(kit);
    expect([name, Math.floor(status / 100)]).toEqual([name, 2]);
    const isAnswer = ({ name: call, args }: SystemCall) =>
      call.startsWith("send") && /HTTP\/1\.1 20/.test(args);
    await eventually(() => callsIn(trace, next).calls.some(isAnswer), true);
    const { calls } = callsIn(trace, next);
    const before = calls.slice(0, calls.findLastIndex(isAnswer));
    const { written, unsynced } = stateOf(before, site, openedSynced(callsIn(trace, 0).calls));
    expect(unsynced).toEqual([]);
    expect(written).toBeGreaterThan(0);
  });
});

/** What answers don't wait for: the audit log, the reserve, what is tried, what is kept for the next start. */
const BESIDE = /\/data\/audit-log(\/|$)|\/\.reserve$|\/health\.|\/\.outlines/;

/** The files of which each write is on the disk when it is over. */
function openedSynced(calls: readonly SystemCall[]): ReadonlySet<string> {
  const opened = calls.filter(({ args, result }) => result >= 0 && args.includes("O_DSYNC"));
  return new Set(opened.flatMap(({ args }) => /"([^"]+)"/.exec(args)?.[1] ?? []));
}

/** What is not certain to be on the disk after these calls, and how many names and lines were given on it. */
function stateOf(
  calls: readonly SystemCall[],
  { dataDir, uploadsDir }: SiteFolder,
  synced: ReadonlySet<string>,
) {
  const unsynced = new Set<string>();
  let written = 0;
  const isOurs = (path: string) =>
    (path.startsWith(dataDir) || path.startsWith(uploadsDir)) && !BESIDE.test(path);
  for (const { name, args, result } of calls) {
    if (result < 0) continue;
    // A descriptor is shown with its path: 11</data/hero.json>.
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
      // Under its new name it is as certain as it was.
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

/** What a line in the journal needs: its writing, and what takes back a line of which one half failed. */
const LINE = ["pwrite64", "pwrite64,ftruncate", "pwrite64,fsync"] as const;
/** What a new file needs beside its line. */
const FILE = [...LINE, "openat", "fsync", "rename", "link", "fchmod"] as const;
const ERRORS = ["EIO", "ENOSPC", "EROFS", "EACCES", "EMFILE", "EDQUOT"] as const;

describe.skipIf(!canTrace)("a fault in a real call", () => {
  const site = servedForEach();

  test(`${FAULTS} times over: what is answered with success is there, what is refused has changed nothing`, async () => {
    let owner = await site.owner();
    const { formId, ids } = await makeForm(site, "F", [["text", "N"]]);
    const lists = ["hero", "statistics", "uploads", "email-subscriptions"];
    const paths = [...lists, `form-submissions/${formId}`];
    /** What is stored of what is tried here. */
    const state = async () =>
      JSON.stringify(
        await Promise.all(paths.map(async (path) => (await owner.get(`/api/${path}`)).body)),
      );
    const picture = await pictureAs("png", 40, 40);
    const outcomes = { refused: 0, stored: 0, ended: 0 };
    const upload = (at: number) => {
      const body = new FormData();
      body.set("file", new File([picture], `${at}.png`, { type: "image/png" }));
      return owner.post("/api/upload", body);
    };
    const works: ((at: number) => Promise<Answer>)[] = [
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
    for (let at = 0; at < FAULTS; at++) {
      const work = works[at % works.length]!;
      const calls = work === upload ? FILE : LINE;
      const call = calls[Math.floor(at / works.length) % calls.length]!;
      const error = ERRORS[Math.floor(Math.random() * ERRORS.length)]!;
      // Counted for each thread: all the calls of the one, or all that come after its first.
      const when = Math.random() < 0.8 ? "1+" : "2+";
      const before = await state();
      const answer = await withFault(site.pid, call, `error=${error}:when=${when}`, () =>
        work(at).catch(() => undefined),
      );
      const told = `${call} ${error} ${when}: ${answer?.status ?? "no answer"}`;
      // Only a failed sync, or a line that can't be taken back, ends the process, be it while it is asked.
      const shown = await state().catch(() => undefined);
      const wasAlive = shown !== undefined;
      if (!wasAlive) expect(told).toMatch(/fsync|ftruncate/);
      await site.stop("SIGKILL");
      await site.start();
      owner = await site.owner();
      const after = await state();
      if (shown !== undefined) expect([told, after]).toEqual([told, shown]);
      if (answer && answer.status >= 400 && wasAlive) expect([told, after]).toEqual([told, before]);
      if (answer && answer.status < 300) outcomes.stored++;
      else if (answer) outcomes.refused++;
      else outcomes.ended++;
      site.expectUndamaged();
    }
    if (FAULTS > 24) console.log(`${FAULTS} faults: ${JSON.stringify(outcomes)}`);
    expect(outcomes.refused + outcomes.ended).toBeGreaterThan(0);
  });
});
