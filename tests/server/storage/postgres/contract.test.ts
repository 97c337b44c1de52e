/**
 * The HTTP contract holds for a site in a database as it does for one in a folder: the same tests, run on it.
 * `LIMELIGHT_CONTRACT=all` runs those of all routes, which takes minutes.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { hasPostgres, type Postgres, startPostgres } from "../../../support/postgres.ts";

setDefaultTimeout(900_000);

const isAll = process.env["LIMELIGHT_CONTRACT"] === "all";

const FILES = isAll
  ? [
      "accounts",
      "content",
      "visitors",
      "http",
      "uploads/uploadRoutes.test.ts",
      "letters/letters.test.ts",
      "letters/mailingList.test.ts",
      "mail/outbox.test.ts",
      "mail/replies.test.ts",
      "routes.test.ts",
    ]
  : [
      "content/content.test.ts",
      "content/revisions.test.ts",
      "visitors/submissions.test.ts",
      "visitors/review.test.ts",
      "visitors/personalData.test.ts",
    ];

describe.if(hasPostgres)("with a database", () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.remove());

  test("content, its history and what visitors send go as they do in a folder", async () => {
    const root = join(import.meta.dir, "../../../..");
    const child = Bun.spawn(
      [process.execPath, "test", "--timeout=60000", ...FILES.map((file) => `tests/server/${file}`)],
      {
        cwd: root,
        env: { ...process.env, TEST_DATABASE_URL: postgres.url("").replace(/\?.*/, "") },
        stdout: "ignore",
        stderr: "pipe",
      },
    );
    const said = await new Response(child.stderr).text();
    expect(said.split("\n").filter((line) => line.startsWith("(fail)"))).toEqual([]);
    expect(Number(/^\s*(\d+) pass$/m.exec(said)?.[1])).toBeGreaterThan(100);
    expect(await child.exited).toBe(0);
  });
});
