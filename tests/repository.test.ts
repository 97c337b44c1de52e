/** The files that a repository's host reads: workflows, forms, and the project's address. */
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { entities } from "../src/schema/index.ts";

interface Workflow {
  readonly permissions: object;
  readonly jobs: Readonly<
    Record<string, { readonly steps: readonly { run?: string; uses?: string }[] }>
  >;
}

const readYaml = async (path: string) => Bun.YAML.parse(await Bun.file(`.github/${path}`).text());
const readSteps = async (name: string) => {
  const { jobs } = (await readYaml(`workflows/${name}.yml`)) as Workflow;
  return Object.values(jobs).flatMap(({ steps }) => steps);
};

test("the workflows run all tests for a change, and make a release of a tag with the right version", async () => {
  expect((await readSteps("tests")).at(-1)).toEqual({ run: ".ci/run" });
  const { scripts, version } = await Bun.file("package.json").json();
  const runs = (await readSteps("release")).flatMap(({ run }) => run ?? []);
  expect(scripts.release).toContain("build.ts --release");
  expect(runs.slice(1, 3)).toEqual([".ci/run", "npx --yes bun@1.4.5 run release"]);
  // Runs the first step with a tag of this version, and with another tag.
  const isVersion = (tag: string) =>
    Bun.spawnSync(["sh", "-c", runs[0]!], { env: { ...process.env, GITHUB_REF_NAME: tag } });
  expect([isVersion(`v${version}`).exitCode, isVersion("v0.0.0").exitCode]).toEqual([0, 1]);
});

test("the workflows use no third-party action except the checkout", async () => {
  for (const name of ["tests", "release"])
    for (const { uses } of await readSteps(name))
      if (uses !== undefined) expect(uses).toBe("actions/checkout@v4");
});

test.each(["defect", "wish"])("the issue form for a %s labels each question", async (name) => {
  const form = (await readYaml(`ISSUE_TEMPLATE/${name}.yml`)) as any;
  expect([form.name, form.description].every(Boolean)).toBe(true);
  for (const { type, attributes } of form.body)
    expect([type, type === "markdown" ? attributes.value : attributes.label]).toEqual([
      expect.stringMatching(/^(?:markdown|textarea|input|dropdown)$/),
      expect.any(String),
    ]);
});

test("package.json has the project's URLs, and the changelog starts with the next or latest release", async () => {
  const manifest = await Bun.file("package.json").json();
  expect(["homepage", "repository"].every((key) => key in manifest)).toBe(true);
  // The links of a new site's footer.
  expect(entities.site.fields.agencyUrl.initial).toBe(manifest.homepage || null);
  expect(existsSync(".editorconfig")).toBe(true);
  const changelog = await Bun.file("CHANGELOG.md").text();
  const heads = [...changelog.matchAll(/^## (.*)$/gm)].map(([, head]) => head!);
  expect(heads[0]).toMatch(/^(?:Unreleased|\d+\.\d+\.\d+ \(\d{4}-\d{2}-\d{2}\))$/);
});
