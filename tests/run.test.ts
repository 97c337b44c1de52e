/**
 * Tests the runner of all tests: it names tests that pass only at their second try, and fails if a test fails twice.
 */
import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { collectOutput } from "./support/program.ts";

const TEST_SOURCE = `
import { expect, test } from "bun:test";
let tries = 0;
test("stumbles once", () => expect(++tries).toBe(2));
test("always passes", () => {});
if (process.env["FAILS"]) test("always fails", () => expect(1).toBe(2));
`;

test.each([
  [{}, 0],
  [{ FAILS: "1" }, 1],
])(
  "the test runner with %j in its environment exits with %d, and names a test that passed only when retried",
  async (env, code) => {
    const folder = await mkdtemp(join(tmpdir(), "limelight-run-"));
    try {
      await Bun.write(join(folder, "some.test.ts"), TEST_SOURCE);
      await Bun.write(
        join(folder, "other.test.ts"),
        'import { test } from "bun:test"; test("other", () => {});',
      );
      const child = Bun.spawn([process.execPath, resolve("tests/run.ts")], {
        cwd: folder,
        env: { PATH: process.env["PATH"], ...env },
        stdout: "pipe",
        stderr: "pipe",
      });
      const { code: exit, out, error } = await collectOutput(child);
      expect([exit, out + error]).toEqual([
        code,
        expect.stringMatching(
          /\nPassed only at the second try \(1\), [a-z ]+:\n {2}stumbles once\n/,
        ),
      ]);
      expect(error).toMatch(new RegExp(`^ *${code} fail$`, "m"));
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);
