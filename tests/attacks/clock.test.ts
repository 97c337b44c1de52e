/**
 * The built executable on a clock that jumps, by libfaketime (a Debian package): nothing is lost, doubled
 * or out of order, nobody stays logged in for it, and nobody is kept out. Skipped, in words, without it.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Client } from "../support/client.ts";
import { canJump, clockIn, jump as jumpIn } from "../support/fakeClock.ts";
import {
  newSiteFolder,
  removeFolder,
  runProgram,
  serveProgram,
  type Serving,
  type SiteFolder,
} from "../support/program.ts";
import { AS_OWNER, callersOf, OWNER } from "../support/site.ts";

let site: SiteFolder;
let serving: Serving;
let owner: Client;

beforeEach(async () => {
  site = await newSiteFolder();
});
afterEach(async () => {
  await serving.stop("SIGKILL");
  await removeFolder(site);
});

const jump = (by: string) => jumpIn(site.folder, by);

async function start(): Promise<void> {
  serving = await serveProgram(site, { ...AS_OWNER, ...clockIn(site.folder) });
}

test.skipIf(!canJump)(
  "a clock that jumps back and forth while it runs, and over restarts",
  async () => {
    await jump("+0");
    await start();
    owner = await callersOf(serving.url).loginAsOwner();
    const made = async (path: string, body: object) => (await owner.post(path, body)).body.id;
    const formId = await made("/api/forms", { title: "F", isActive: true });
    const stepId = await made("/api/form-steps", { formId, title: "S" });
    const fieldId = await made("/api/form-fields", { stepId, fieldType: "text", label: "N" });
    const visitor = () => callersOf(serving.url).visitor();
    const sent: string[] = [];
    const years: string[] = [];
    for (const by of ["+0", "+400d", "-400d", "+10d", "-1d", "+0"]) {
      await jump(by);
      owner = visitor();
      const login = await owner.post("/api/auth/login", OWNER);
      expect([by, login.status]).toEqual([by, 200]);
      const name = `at ${by} ${sent.length}`;
      const enquiry = await visitor().post("/api/form-submissions", {
        formId,
        data: { [fieldId]: name },
      });
      expect([by, enquiry.status]).toEqual([by, 201]);
      sent.push(name);
      expect((await owner.post("/api/hero", { mainTitle: name })).status).toBe(200);
      const { body } = await owner.get(`/api/form-submissions/${formId}`);
      // In the order in which they came, whatever the clock says of it.
      expect(body.map((each: any) => each.questions[0].answer)).toEqual(sent.toReversed());
      years.push(body[0].createdAt.slice(0, 4));
      expect((await owner.get("/api/health")).status).toBe(200);
      await serving.stop(sent.length % 2 === 0 ? "SIGKILL" : "SIGTERM");
      await start();
      const html = await (await fetch(serving.url)).text();
      expect([by, html.includes(name)]).toEqual([by, true]);
    }
    // The program's clock did jump.
    expect(new Set(years).size).toBeGreaterThan(1);
    expect(/.*(DAMAGED|RECOVERED|LOST).*/.exec(serving.log())?.[0]).toBeUndefined();
    await serving.stop();
    expect((await runProgram(site, ["doctor"])).out).toContain("All is well.");
  },
  180_000,
);

test.skipIf(!canJump)(
  "a session of a clock that was ahead ends with it",
  async () => {
    await jump("+400d");
    await start();
    owner = await callersOf(serving.url).loginAsOwner();
    expect((await owner.get("/api/auth/me")).status).toBe(200);
    await jump("+0");
    expect((await owner.get("/api/auth/me")).status).toBe(401);
    const again = await callersOf(serving.url).loginAsOwner();
    expect((await again.get("/api/auth/me")).status).toBe(200);
  },
  60_000,
);

test.skipIf(!canJump)(
  "a clock that runs weeks ahead takes nothing out of the bin, and the owner is asked about it",
  async () => {
    await jump("+0");
    await start();
    owner = await callersOf(serving.url).loginAsOwner();
    const deleted = async (label: string) => {
      const { id } = (await owner.post("/api/statistics", { value: "1", label })).body;
      expect((await owner.delete(`/api/statistics/${id}`)).status).toBe(204);
      return id as string;
    };
    const [kept, let1, let2] = [await deleted("A"), await deleted("B"), await deleted("C")];
    /** Under another clock, and after what is due has gone; letting go of another has that happen. */
    const inBinAt = async (by: string, letGo: string) => {
      await jump(by);
      owner = callersOf(serving.url).visitor();
      await owner.post("/api/auth/login", OWNER);
      expect((await owner.delete(`/api/bin/${letGo}`)).status).toBe(204);
      return (await owner.get("/api/bin")).body.map(({ id }: { id: string }) => id);
    };
    expect(await inBinAt("+40d", let1)).toEqual([let2, kept]);
    await serving.stop();
    await start();
    expect(await inBinAt("+40d", let2)).toEqual([kept]);
    expect((await owner.get("/api/notices")).body).toContainEqual(
      expect.objectContaining({ code: "clock_ahead" }),
    );
    expect(serving.log()).toContain("The clock of the machine went ahead by 40 days");
    await jump("+0");
    owner = await callersOf(serving.url).loginAsOwner();
    expect((await owner.post(`/api/bin/${kept}/restore`)).status).toBe(200);
    expect((await owner.get("/api/notices")).body).toEqual([]);
  },
  180_000,
);
