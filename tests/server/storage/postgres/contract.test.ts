/**
 * The HTTP contract holds for a site in a database as for one in a folder: the same tests run on both.
 * `LIMELIGHT_CONTRACT=all` runs those of all routes, `LIMELIGHT_CONTRACT=browser` the main paths of visitors and
 * owners in a browser; each takes minutes.
 */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { hasPostgres, postgresForAll } from "../../../support/postgres.ts";

setDefaultTimeout(900_000);

const SHORT = [
  "server/content/batch.test.ts",
  "server/content/revisions.test.ts",
  "server/enquiries/submissions.test.ts",
  "server/visitors/personalData.test.ts",
];

/** By the variable's value: the test files of a run, and their least number of tests. */
const RUNS: Readonly<Record<string, { files: readonly string[]; least: number }>> = {
  all: {
    files: [
      "server/accounts",
      "server/content",
      "server/visitors",
      "server/http",
      "server/uploads/uploadRoutes.test.ts",
      "server/bookings/callRoutes.test.ts",
      "server/bookings/times.test.ts",
      "server/newsletter/letters.test.ts",
      "server/newsletter/mailingList.test.ts",
      "server/mail/queue/outbox.test.ts",
      "server/enquiries/replyRoutes.test.ts",
      "server/routes.test.ts",
    ],
    least: 600,
  },
  browser: {
    files: [
      "web/site/enquirySending.browser.test.ts",
      "web/site/plainEnquiry.browser.test.ts",
      "web/site/mailingList.browser.test.ts",
      "web/admin/frame/setup.browser.test.ts",
      "web/admin/frame/welcome.browser.test.ts",
      "web/admin/frame/unsaved.browser.test.ts",
      "web/admin/tabs/hero.browser.test.ts",
      "web/admin/tabs/addingPictures.browser.test.ts",
      "web/admin/tabs/files.browser.test.ts",
      "web/admin/tabs/submissions.browser.test.ts",
      "web/admin/account/bin.browser.test.ts",
    ],
    least: 60,
  },
};

const { files, least } = RUNS[process.env["LIMELIGHT_CONTRACT"] ?? ""] ?? {
  files: SHORT,
  least: 45,
};

describe.if(hasPostgres)("with a database", () => {
  const postgres = postgresForAll();

  test("content, history and visitors' data work as with a folder", async () => {
    const root = join(import.meta.dir, "../../../..");
    const child = Bun.spawn(
      [process.execPath, "test", "--timeout=60000", ...files.map((file) => `tests/${file}`)],
      {
        cwd: root,
        env: { ...process.env, TEST_DATABASE_URL: postgres.address },
        stdout: "ignore",
        stderr: "pipe",
      },
    );
    const output = await new Response(child.stderr).text();
    expect(output.split("\n").filter((line) => line.startsWith("(fail)"))).toEqual([]);
    expect(Number(/^\s*(\d+) pass$/m.exec(output)?.[1])).toBeGreaterThanOrEqual(least);
    expect(await child.exited).toBe(0);
  });
});
