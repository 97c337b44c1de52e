/**
 * Runs the built executable on a clock that jumps, by libfaketime (a Debian package): nothing is lost, duplicated or
 * reordered, no session outlives its time, and nobody is locked out. Skipped without the package.
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import { makeForm } from "../support/enquiryForm.ts";
import { canSetClock, createClockEnv, setClockOffset as jumpIn } from "../support/fakeClock.ts";
import { setUpServedSite } from "../support/servedSite.ts";

setDefaultTimeout(180_000);

const site = setUpServedSite({ isStarted: false });

const setOffset = (by: string) => jumpIn(site.folder, by);
const start = () => site.start(createClockEnv(site.folder));

test.skipIf(!canSetClock)(
  "a site loses no data and keeps working when the clock jumps back and forth, also across restarts",
  async () => {
    await setOffset("+0");
    await start();
    const { formId, ids } = await makeForm(site, "F", [["text", "N"]]);
    const sent: string[] = [];
    const years: string[] = [];
    for (const by of ["+0", "+400d", "-400d", "+10d", "-1d", "+0"]) {
      await setOffset(by);
      const owner = await site.logInAsOwner();
      const name = `at ${by} ${sent.length}`;
      const data = { [ids[0]!]: name };
      const enquiry = await site.visitor().post("/api/form-submissions", { formId, data });
      expect([by, enquiry.status]).toEqual([by, 201]);
      sent.push(name);
      expect((await owner.post("/api/hero", { mainTitle: name })).status).toBe(200);
      const { body } = await owner.get(`/api/form-submissions/${formId}`);
      // The submissions are in the order of arrival, whatever the clock said.
      expect(body.map((each: any) => each.questions[0].answer)).toEqual(sent.toReversed());
      years.push(body[0].createdAt.slice(0, 4));
      expect((await owner.get("/api/health")).status).toBe(200);
      await site.stop(sent.length % 2 === 0 ? "SIGKILL" : "SIGTERM");
      await start();
      const html = await (await fetch(site.url)).text();
      expect([by, html.includes(name)]).toEqual([by, true]);
    }
    // Without a jump of the program's clock this test would show nothing.
    expect(new Set(years).size).toBeGreaterThan(1);
    site.expectUndamaged();
    await site.stop();
    await site.expectNoProblems();
  },
);

test.skipIf(!canSetClock)(
  "a session begun while the clock was ahead ends once the clock is corrected",
  async () => {
    await setOffset("+400d");
    await start();
    const owner = await site.logInAsOwner();
    expect((await owner.get("/api/auth/me")).status).toBe(200);
    await setOffset("+0");
    expect((await owner.get("/api/auth/me")).status).toBe(401);
    const again = await site.logInAsOwner();
    expect((await again.get("/api/auth/me")).status).toBe(200);
  },
);

test.skipIf(!canSetClock)(
  "with the clock weeks ahead the trash keeps its items, and a notice warns the owner",
  async () => {
    await setOffset("+0");
    await start();
    const deleted = async (label: string) => {
      const id = await site.createItem("/api/statistics", { value: "1", label });
      await site.asOwner("DELETE", `/api/statistics/${id}`);
      return id;
    };
    const [retained, let1, let2] = [await deleted("A"), await deleted("B"), await deleted("C")];
    /** Returns the bin's items under another clock. Discarding the item `letGo` first deletes the expired ones. */
    const inBinAt = async (by: string, letGo: string) => {
      await setOffset(by);
      const owner = await site.logInAsOwner();
      expect((await owner.delete(`/api/bin/${letGo}`)).status).toBe(204);
      return (await owner.get("/api/bin")).body.map(({ id }: { id: string }) => id);
    };
    expect(await inBinAt("+40d", let1)).toEqual([let2, retained]);
    await site.stop();
    await start();
    expect(await inBinAt("+40d", let2)).toEqual([retained]);
    expect(await site.asOwner("GET", "/api/notices")).toContainEqual(
      expect.objectContaining({ code: "clock_ahead" }),
    );
    expect(site.log()).toContain("The server's clock jumped ahead by 40 days");
    await setOffset("+0");
    const owner = await site.logInAsOwner();
    expect((await owner.post(`/api/bin/${retained}/restore`)).status).toBe(200);
    expect((await owner.get("/api/notices")).body).toEqual([]);
  },
);
