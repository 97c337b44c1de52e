/**
 * The changes that tests have to notice can still be made: the text that each replaces exists, and so do its tests.
 */
import { expect, test } from "bun:test";
import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DASHBOARD_MUTATIONS } from "./ofTheDashboard.ts";
import { SERVER_MUTATIONS } from "./ofTheServer.ts";

const MUTATIONS = [...SERVER_MUTATIONS, ...DASHBOARD_MUTATIONS];

test.each(MUTATIONS)(
  'the mutation that breaks "$breaks" finds its text once in $file',
  async ({ file, text, noticed }) => {
    expect((await Bun.file(`src/${file}`).text()).split(text)).toHaveLength(2);
    for (const each of noticed)
      expect([each, await Bun.file(`tests/${each}`).exists()]).toEqual([each, true]);
  },
);

test("the source with all mutations has no type errors, so only tests can notice the mutations", async () => {
  const copy = await mkdtemp(join(tmpdir(), "limelight-types-"));
  try {
    for (const name of ["src", "package.json", "tsconfig.json"])
      await cp(name, join(copy, name), { recursive: true }); // oxlint-disable-line no-await-in-loop
    await symlink(resolve("node_modules"), join(copy, "node_modules"));
    for (const { file, text, instead } of MUTATIONS) {
      const path = join(copy, "src", file);
      const source = await Bun.file(path).text(); // oxlint-disable-line no-await-in-loop
      await Bun.write(
        path,
        source.replace(text, () => instead),
      ); // oxlint-disable-line no-await-in-loop
    }
    const compiler = Bun.spawn(["node_modules/.bin/tsc", "--noEmit", "--singleThreaded"], {
      cwd: copy,
      stdout: "pipe",
    });
    expect(await new Response(compiler.stdout).text()).toBe("");
  } finally {
    await rm(copy, { recursive: true });
  }
});
