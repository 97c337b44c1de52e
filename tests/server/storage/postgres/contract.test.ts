/**
 * The HTTP contract holds for a site in a database as for one in a folder: the same tests run on both.
 * `LIMELIGHT_CONTRACT="server/content server/routes.test.ts"` runs those instead, which may take minutes.
 */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { hasPostgres, setUpPostgres } from "../../../support/postgres.ts";

setDefaultTimeout(900_000);

const FILES = [
  "server/content/batch.test.ts",
  "server/content/revisions.test.ts",
  "server/enquiries/submissions.test.ts",
  "server/visitors/personalData.test.ts",
];
const files = process.env["LIMELIGHT_CONTRACT"]?.split(" ") ?? FILES;

describe.if(hasPostgres)("with a database", () => {
  const postgres = setUpPostgres();

  test("the HTTP tests of content, history and visitors' data pass as with a data folder", async () => {
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
    expect(Number(/^\s*(\d+) pass$/m.exec(output)?.[1])).toBeGreaterThanOrEqual(45);
    expect(await child.exited).toBe(0);
  });
});
