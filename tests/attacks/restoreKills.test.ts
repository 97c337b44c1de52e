/**
 * A whole backup is brought back while the built executable serves the site, and killed at any moment of it
 * (specification, section 4.16): the site is as it was before, or as the backup has it, and nothing between.
 * RESTORE_ROUNDS makes it last longer.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import type { Client } from "../support/client.ts";
import { pictureAs } from "../support/pictures.ts";
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

const ROUNDS = Number(process.env["RESTORE_ROUNDS"] ?? 4);
const PATIENCE = 60_000 + ROUNDS * 30_000;
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

/** Ids of the backups, newest first. */
const backups = async (): Promise<string[]> =>
  (await owner.get("/api/backups")).body.backups.map(({ id }: { id: string }) => id);

async function backUp(): Promise<string> {
  const before = new Set(await backups());
  expect((await owner.post("/api/backups")).status).toBe(202);
  let made: string | undefined;
  await eventually(async () => {
    made = (await backups()).find((id) => !before.has(id));
    return made !== undefined && (await owner.get("/api/backups")).body.underWay === null;
  }, true);
  return made!;
}

/** A site that names `name` in a document, a list, a picture and a submission. */
async function makeState(name: string): Promise<void> {
  for (const { id } of (await owner.get("/api/statistics")).body)
    await owner.delete(`/api/statistics/${id}`);
  for (const { id } of (await owner.get("/api/uploads")).body)
    await owner.delete(`/api/uploads/${id}`);
  for (const { id } of (await owner.get("/api/forms")).body) await owner.delete(`/api/forms/${id}`);
  await owner.delete("/api/bin");
  await owner.post("/api/hero", { mainTitle: name });
  await owner.post("/api/statistics", { value: name, label: "x" });
  const form = (await owner.post("/api/forms", { title: name, isActive: true })).body;
  const step = (await owner.post("/api/form-steps", { formId: form.id, title: "S" })).body;
  const question = { stepId: step.id, fieldType: "text", label: "L" };
  const field = (await owner.post("/api/form-fields", question)).body;
  await owner.post("/api/form-submissions", { formId: form.id, data: { [field.id]: name } });
  const sent = new FormData();
  sent.set("file", new File([await pictureAs("png", 60, 60)], `${name}.png`));
  expect((await owner.post("/api/upload", sent)).status).toBe(201);
}

/** Every name that the site shows, each once; the pictures' files are there, and no others. */
async function names(): Promise<string[]> {
  const read = async (path: string) => (await owner.get(path)).body;
  const forms: { id: string; title: string }[] = await read("/api/forms");
  const uploads: { url: string; filename: string; originalName: string }[] =
    await read("/api/uploads");
  for (const { url } of uploads) expect([url, (await owner.get(url)).status]).toEqual([url, 200]);
  const originals = (await readdir(site.uploadsDir)).filter((name) => name.endsWith(".png"));
  expect(originals.sort()).toEqual(uploads.map(({ filename }) => filename).sort());
  const submissions = await Promise.all(forms.map(({ id }) => read(`/api/form-submissions/${id}`)));
  const shown = [
    (await read("/api/hero")).mainTitle,
    ...(await read("/api/statistics")).map(({ value }: { value: string }) => value),
    ...forms.map(({ title }) => title),
    ...submissions.flat().map(({ questions }) => questions[0].answer),
    ...uploads.map(({ originalName }) => originalName.replace(".png", "")),
    /<h1[^>]*>.*?<\/h1>/.exec((await owner.get("/")).text)?.[0].includes("Then") ? "Then" : "Now",
  ];
  return [...new Set(shown)];
}

test(
  "a whole backup comes back while the site is served; sessions stay, and it can be put back",
  async () => {
    await makeState("Then");
    const then = await backUp();
    await makeState("Now");
    const known = new Set(await backups());
    const { status } = await owner.post(`/api/backups/${then}/restore`, { everything: true });
    expect(status).toBe(202);
    await eventually(() => names().catch(() => []), ["Then"]);
    expect((await owner.get("/api/auth/me")).status).toBe(200);
    expect((await runProgram(site, ["doctor"])).out).toContain("All is well.");
    const kept = (await backups()).find((id) => !known.has(id));
    expect(kept).toBeDefined();
    expect((await owner.post(`/api/backups/${kept}/restore`, { everything: true })).status).toBe(
      202,
    );
    await eventually(() => names().catch(() => []), ["Now"]);
    expect(serving.log()).not.toMatch(/DAMAGED|RECOVERED/);
  },
  PATIENCE,
);

test(
  "who was erased after the backup does not come back with it, in lists, answers or the bin",
  async () => {
    const made = async (path: string, body: object) => (await owner.post(path, body)).body.id;
    const formId = await made("/api/forms", { title: "F", isActive: true });
    const stepId = await made("/api/form-steps", { formId, title: "S" });
    const fieldId = await made("/api/form-fields", { stepId, fieldType: "textarea", label: "L" });
    const send = (text: string) =>
      made("/api/form-submissions", { formId, data: { [fieldId]: text } });
    for (const email of ["eve@example.com", "bob@example.com"])
      await owner.post("/api/email-subscriptions", { email });
    await send("Write to EVE@example.com.");
    await send("bob@example.com");
    // Named in part only.
    await send("joeve@example.com, eve@example.com.au");
    const binned = await send("My address:\neve@example.com");
    await owner.delete(`/api/form-submissions/${binned}`);
    const then = await backUp();
    const of = async (email: string) => {
      const { body } = await owner.post("/api/people/find", { email });
      return [body.subscriptions, body.submissions];
    };
    expect(await of("eve@example.com")).toEqual([1, 2]);
    const erased = await owner.post("/api/people/erase", { email: "Eve@example.com" });
    expect(erased.body).toMatchObject({ subscriptions: 1, submissions: 2 });
    await owner.post("/api/hero", { mainTitle: "Now" });
    await owner.post(`/api/backups/${then}/restore`, { everything: true });
    const title = async () => (await owner.get("/api/hero")).body?.mainTitle;
    await eventually(async () => ![undefined, "Now"].includes(await title().catch(() => {})), true);
    expect(await of("eve@example.com")).toEqual([0, 0]);
    expect(await of("bob@example.com")).toEqual([1, 1]);
    expect(await of("joeve@example.com")).toEqual([0, 1]);
    expect(serving.log()).toContain(
      "privacy: erased again after a restore (2 submissions, 1 subscription)",
    );
    const { body: happened } = await owner.get("/api/audit-log?kind=data");
    expect(happened[0]).toMatchObject({ what: "erased again after a restore" });
    // Who came since stays, after restarts too.
    await owner.post("/api/email-subscriptions", { email: "eve@example.com" });
    await serving.stop();
    await start();
    expect(await of("eve@example.com")).toEqual([1, 0]);
  },
  PATIENCE,
);

test(
  "killed at any moment of it, the site is as before or as the backup has it",
  async () => {
    await makeState("Then");
    const then = await backUp();
    await makeState("Now");
    const now = await backUp();
    const began = performance.now();
    await owner.post(`/api/backups/${then}/restore`, { everything: true });
    const takes = performance.now() - began;
    await eventually(() => names().catch(() => []), ["Then"]);
    let at = "Then";
    const seen = new Set<string>();
    for (let round = 0; round < ROUNDS; round++) {
      const wanted = at === "Then" ? now : then;
      const restoring = owner.post(`/api/backups/${wanted}/restore`, { everything: true }).then(
        // Refused while another backup is made, it isn't to go on.
        ({ status }) => status === 202,
        () => false,
      );
      // Most of the time goes by before anything changes: look at what follows more often.
      await Bun.sleep(takes * (0.7 + Math.random() * 0.5));
      await serving.stop("SIGKILL");
      const answered = await restoring;
      await start();
      const shown = await names();
      expect(shown).toHaveLength(1);
      expect(["Then", "Now"]).toContain(shown[0]!);
      // What was answered goes on by itself.
      if (answered) expect(shown[0]).not.toBe(at);
      seen.add(`${answered} ${shown[0] === at ? "before" : "after"}`);
      at = shown[0]!;
      const doctor = await runProgram(site, ["doctor"]);
      expect([doctor.code, doctor.out]).toEqual([0, expect.stringContaining("All is well.")]);
      expect(serving.log()).not.toMatch(/DAMAGED|RECOVERED/);
    }
    if (ROUNDS > 20) expect(seen.size).toBeGreaterThan(1);
  },
  PATIENCE,
);
