/** The size limits of the build (src/build/budget.ts). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Budget, checkProgramSize, checkWebSize } from "../../src/build/budget.ts";

describe("the size limits of a build", () => {
  const BUDGET: Budget = { files: { "entry-": 20 }, other: 10, program: 30 };
  let web: string;
  beforeAll(async () => {
    web = await mkdtemp(join(tmpdir(), "limelight-test-"));
    await Bun.write(join(web, "assets/entry-1.js.br"), "x".repeat(20));
    await Bun.write(join(web, "assets/other-2.js.br"), "x".repeat(10));
  });
  afterAll(() => rm(web, { recursive: true, force: true }));

  test("accept files up to their limits", async () => {
    await checkWebSize(web, BUDGET);
    checkProgramSize(join(web, "assets/entry-1.js.br"), BUDGET);
  });

  test("refuse a larger file with its name, size and limit", async () => {
    await writeFile(join(web, "assets/entry-1.js.br"), "x".repeat(21));
    await writeFile(join(web, "assets/other-2.js.br"), "x".repeat(11));
    const refused = checkWebSize(web, BUDGET);
    await expect(refused).rejects.toThrow("entry-1.js.br: 21 bytes, at most 20");
    await expect(refused).rejects.toThrow("other-2.js.br: 11 bytes, at most 10");
    expect(() =>
      checkProgramSize(join(web, "assets/entry-1.js.br"), { ...BUDGET, program: 20 }),
    ).toThrow("at most 20");
  });

  test("refuse a limit for a file that no longer exists", async () => {
    const checking = checkWebSize(web, { ...BUDGET, files: { "gone-": 1 } });
    await expect(checking).rejects.toThrow("gone-… no longer exists");
  });
});
