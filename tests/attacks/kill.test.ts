/**
 * The built executable killed while it is written to (specification, section 4.15): what was answered with
 * success is there after every restart. KILL_SECONDS and KILL_ROUNDS make it last longer.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import type { Client } from "../support/client.ts";
import {
  newSiteFolder,
  removeFolder,
  runProgram,
  serveProgram,
  type Serving,
  type SiteFolder,
} from "../support/program.ts";
import { AS_OWNER, callersOf } from "../support/site.ts";
import { eventually } from "../support/waits.ts";

const ROUNDS = Number(process.env["KILL_ROUNDS"] ?? 3);
const MS = Number(process.env["KILL_SECONDS"] ?? 1) * 1000;
const PATIENCE = ROUNDS * (MS + 10_000);
const ENV = { ...AS_OWNER, RATE_LIMIT: "off" };

let site: SiteFolder;
let serving: Serving;
let owner: Client;

beforeEach(async () => {
  site = await newSiteFolder();
  await start();
});
afterEach(async () => {
  await serving.stop("SIGKILL");
  await removeFolder(site);
});

async function start(): Promise<void> {
  serving = await serveProgram(site, ENV);
  owner = await callersOf(serving.url).loginAsOwner();
}

/** A form with one required question. */
async function makeForm() {
  const form = (await owner.post("/api/forms", { title: "Enquiry", isActive: true })).body;
  const step = (await owner.post("/api/form-steps", { formId: form.id, title: "S" })).body;
  const field = { stepId: step.id, fieldType: "text", label: "Name", isRequired: true };
  return { formId: form.id, fieldId: (await owner.post("/api/form-fields", field)).body.id };
}

/** What was answered with success. */
class Acknowledged {
  hero = 0;
  readonly statistics = new Map<string, string>();
  readonly deleted = new Set<string>();
  readonly enquiries = new Set<string>();
  readonly addresses = new Set<string>();
}

test(
  "three times over, after kill -9 every acknowledged write is there and doctor is content",
  async () => {
    const form = await makeForm();
    const done = new Acknowledged();
    for (let round = 0; round < ROUNDS; round++) {
      const writers = writeAll(form, done, round);
      await Bun.sleep(MS * (0.7 + 0.6 * Math.random()));
      await serving.stop("SIGKILL");
      await writers;
      const doctor = await runProgram(site, ["doctor"]);
      expect([doctor.code, doctor.out]).toEqual([0, expect.stringContaining("All is well.")]);
      await start();
      expect(serving.log()).not.toMatch(/DAMAGED|RECOVERED/);
      await compare(form.formId, done);
    }
    expect(done.enquiries.size).toBeGreaterThan(20);
  },
  PATIENCE,
);

type Form = Awaited<ReturnType<typeof makeForm>>;

/** Each writer goes on until the server is gone. */
async function writeAll(
  { formId, fieldId }: Form,
  done: Acknowledged,
  round: number,
): Promise<void> {
  const visitor = callersOf(serving.url).visitor();
  const until = (write: (at: number) => Promise<void>) => repeat(write, round * 1_000_000);
  await Promise.all([
    until(async (at) => {
      const { status } = await owner.post("/api/hero", { mainTitle: `Title ${at}` });
      if (status === 200) done.hero = Math.max(done.hero, at);
    }),
    until(async (at) => {
      const made = await owner.post("/api/statistics", { value: `${at}`, label: "x", order: 0 });
      if (made.status !== 201) return;
      done.statistics.set(made.body.id, made.body.value);
      if (at % 2 === 0) await deleteStatistic(made.body.id, done);
    }),
    ...[0, 1, 2].map((lane) =>
      until(async (at) => {
        const data = { [fieldId]: `${lane}-${at}` };
        const { status, body } = await visitor.post("/api/form-submissions", { formId, data });
        if (status === 201) done.enquiries.add(body.id);
      }),
    ),
    until(async (at) => {
      const email = `visitor${at}@example.com`;
      const { status } = await visitor.post("/api/email-subscriptions", { email });
      if (status === 201) done.addresses.add(email);
    }),
  ]);
}

async function deleteStatistic(id: string, done: Acknowledged): Promise<void> {
  done.statistics.delete(id);
  const { status } = await owner.delete(`/api/statistics/${id}`);
  if (status === 204) done.deleted.add(id);
}

async function repeat(write: (at: number) => Promise<void>, from: number): Promise<void> {
  for (let at = from + 1; ; at++) {
    try {
      await write(at);
    } catch {
      return; // The connection ended with the process.
    }
  }
}

async function compare(formId: string, done: Acknowledged): Promise<void> {
  const html = (await owner.get("/")).text;
  const shown = Number(/Title (\d+)/.exec(html)?.[1]);
  expect(shown).toBeGreaterThanOrEqual(done.hero);
  const list: { id: string; value: string }[] = (await owner.get("/api/statistics")).body;
  const statistics = new Map(list.map(({ id, value }) => [id, value]));
  for (const [id, value] of done.statistics) expect(statistics.get(id)).toBe(value);
  for (const id of done.deleted) expect(statistics.has(id)).toBe(false);
  const enquiries = await everything(`/api/form-submissions/${formId}`);
  expect([...done.enquiries].filter((id) => !enquiries.has(id))).toEqual([]);
  const addresses = await everything("/api/email-subscriptions", "email");
  expect([...done.addresses].filter((email) => !addresses.has(email))).toEqual([]);
}

async function everything(path: string, name: "id" | "email" = "id"): Promise<Set<string>> {
  const found = new Set<string>();
  for (;;) {
    const { body } = await owner.get(`${path}?offset=${found.size}&limit=1000`);
    if (body.length === 0) return found;
    for (const item of body) found.add(item[name]);
  }
}

test("a backup taken while the site is written to is restored to a whole site", async () => {
  const form = await makeForm();
  const done = new Acknowledged();
  const writers = writeAll(form, done, 0);
  await eventually(() => done.enquiries.size > 10, true);
  for (const name of ["one.tar.gz", "two.tar.gz"])
    expect(await runProgram(site, ["backup", name])).toMatchObject({ code: 0, error: "" });
  await serving.stop("SIGKILL");
  await writers;
  for (const name of ["one.tar.gz", "two.tar.gz"]) {
    expect(await runProgram(site, ["restore", name])).toMatchObject({ code: 0, error: "" });
    expect((await runProgram(site, ["doctor"])).out).toContain("All is well.");
    await start();
    expect((await owner.get("/")).status).toBe(200);
    expect(serving.log()).not.toMatch(/DAMAGED|RECOVERED/);
    if (name === "one.tar.gz") await serving.stop();
  }
}, 30_000);

test("a restore killed at any moment leaves the old site, the new one, or words; running it again succeeds", async () => {
  await owner.post("/api/hero", { mainTitle: "In the archive" });
  await runProgram(site, ["backup", "site.tar.gz"]);
  await owner.post("/api/hero", { mainTitle: "Written later" });
  await serving.stop();
  const seen = new Set<string>();
  for (let round = 0; round < 10; round++) {
    await killedRestore(5 + round * 9);
    const before = await titleOrWords();
    seen.add(before);
    expect(before).toBeOneOf(["In the archive", "Written later", "cut short"]);
  }
  expect(await runProgram(site, ["restore", "site.tar.gz"])).toMatchObject({ code: 0, error: "" });
  expect(await titleOrWords()).toBe("In the archive");
  expect((await runProgram(site, ["doctor"])).out).toContain("All is well.");
  await start();
}, 60_000);

async function killedRestore(ms: number): Promise<void> {
  const child = Bun.spawn([join(process.cwd(), "dist/limelight"), "restore", "site.tar.gz"], {
    cwd: site.folder,
    env: { DATA_DIR: site.dataDir, UPLOADS_DIR: site.uploadsDir },
    stdout: "ignore",
    stderr: "ignore",
  });
  await Bun.sleep(ms);
  child.kill("SIGKILL");
  await child.exited;
}

/** The title that the site shows when it is started, or that its start was refused in words. */
async function titleOrWords(): Promise<string> {
  const probe = await serveProgram(site, ENV).catch(() => undefined);
  if (!probe) {
    const { code, error } = await runProgram(site, ["serve"], "", { PORT: "0" });
    expect(code).toBe(2);
    return error.includes("cut short") && error.includes("limelight restore") ? "cut short" : error;
  }
  const html = await (await fetch(probe.url)).text();
  await probe.stop("SIGKILL");
  return /In the archive|Written later/.exec(html)?.[0] ?? html;
}
