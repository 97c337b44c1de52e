import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { SETTING_GROUPS, SETTINGS } from "../src/server/shared/settings.ts";

test("settings.md lists every setting as it is declared", async () => {
  const lines = (await Bun.file("docs/settings.md").text()).split("\n");
  const cells = lines.map((line) => line.split("|").map((cell) => cell.trim()));
  const rows = cells.filter(([, name, flag]) => name?.startsWith("`") && flag?.startsWith("`--"));
  const stated = rows.map((row) => row.slice(1, 5).join(" | "));
  const declared = Object.values(SETTINGS).map(({ env, flag, default: fallback, description }) =>
    [
      `\`${env}\``,
      `\`${flag}\``,
      fallback === undefined ? "none" : `\`${fallback}\``,
      description,
    ].join(" | "),
  );
  expect(stated.toSorted()).toEqual(declared.toSorted());
  const heads = lines.flatMap((line) => /^### (.*)$/.exec(line)?.[1] ?? []);
  expect(heads.filter((head) => head in SETTING_GROUPS)).toEqual(Object.keys(SETTING_GROUPS));
  const grouped = Object.values(SETTING_GROUPS).flat();
  expect(rows.map(([, name]) => name)).toEqual(grouped.map((name) => `\`${SETTINGS[name].env}\``));
});

test("settings.md lists every command", async () => {
  const settings = await Bun.file("docs/settings.md").text();
  const source = await Bun.file("src/server/cli/run.ts").text();
  const names = [...source.matchAll(/^ {2}\["(\w+)", async/gm)].map((match) => match[1]!);
  expect(names).toContain("serve");
  for (const name of names) expect(settings).toContain(`| \`limelight ${name}`);
});

describe("the README", () => {
  test("has fewer than 800 words and one picture, so it can be read in three minutes", async () => {
    const readme = await Bun.file("README.md").text();
    expect(readme.split(/\s+/).filter((word) => /\w/.test(word)).length).toBeLessThan(800);
    expect(readme.match(/!\[/g)).toHaveLength(1);
  });

  test("names RATE_LIMIT=off in its section on testing", async () => {
    const sections = (await Bun.file("README.md").text()).split(/^## /m);
    const testing = sections.filter((section) => section.includes("run test"));
    expect(testing.filter((section) => section.includes("`RATE_LIMIT=off`"))).toHaveLength(1);
  });

  test("has three commands for a checkout, which run scripts of package.json", async () => {
    const { scripts } = await Bun.file("package.json").json();
    const blocks = (await readShellBlocks("README.md")).filter((block) => block.includes("npx "));
    expect(blocks).toEqual([
      "npx --yes bun@1.4.5 run demo",
      "npx --yes bun@1.4.5 start",
      "npx --yes bun@1.4.5 run test",
    ]);
    for (const [name, last] of Object.entries({ demo: "demo", start: "serve" }))
      expect(scripts[name]).toBe(
        `bun install --frozen-lockfile --ignore-scripts --silent && bun build.ts && ./dist/limelight ${last}`,
      );
  });

  test("has only shell commands that are also in operating.md or hardening.md, with two exceptions", async () => {
    const guides = ["docs/operating.md", "docs/hardening.md"].map(readShellBlocks);
    const lines = (await Promise.all(guides)).flat().flatMap(stripComments);
    const blocks = (await readShellBlocks("README.md")).filter((block) => !block.includes("npx "));
    const unlisted = blocks.flatMap(stripComments).filter((line) => !lines.includes(line));
    // These are exceptions: a line with two commands, and a line that writes a file that operating.md shows.
    expect(unlisted).toEqual([
      "chmod +x limelight-1.0.0-linux-x64 && ./limelight-1.0.0-linux-x64 install",
      String.raw`printf 'SITE_URL=https://www.example.com\nTRUSTED_PROXIES=127.0.0.1\n' >> /etc/limelight.conf`,
    ]);
  });
});

/** Returns the shell blocks of a document, without their indentation. */
async function readShellBlocks(path: string): Promise<string[]> {
  const text = await Bun.file(path).text();
  return [...text.matchAll(/^( *)```sh\n([\s\S]*?)^ *```$/gm)].map(([, , block]) =>
    block!.trim().replaceAll(/^ +/gm, ""),
  );
}

const stripComments = (block: string) =>
  block.split("\n").map((line) => line.replace(/ {2,}#.*$/, ""));

const PATH = /`((?:src|docs|tests|bench)(?:\/[\w.-]+)+|build\.ts)`/g;

for (const document of ["CONTRIBUTING.md", "docs/architecture.md", "docs/style.md"]) {
  test(`every file and folder that ${document} names exists`, async () => {
    const named = [...(await Bun.file(document).text()).matchAll(PATH)].map((match) => match[1]!);
    expect(named.length).toBeGreaterThan(2);
    for (const path of named) expect([path, existsSync(path)]).toEqual([path, true]);
  });
}

test("the architecture picture names only existing folders, and every folder of the server", async () => {
  const picture = await Bun.file("docs/architecture.svg").text();
  const names = [...picture.matchAll(/font-weight="600">([^<]+)</g)].map((match) => match[1]!);
  const folders = await Promise.all(["src/server", "src/web", "src"].map(listFolders));
  for (const name of names)
    expect([name, folders.flat().includes(name.replace("src/", ""))]).toEqual([name, true]);
  expect(folders[0]!.filter((folder) => !names.includes(folder))).toEqual([]);
});

test("CONTRIBUTING.md's table of the code has a row for every folder", async () => {
  const contributing = await Bun.file("CONTRIBUTING.md").text();
  const rows = [...contributing.matchAll(/^\| `(src\/[\w/]+)` +\|/gm)].map((match) => match[1]!);
  for (const parent of ["src", "src/server", "src/web"])
    for (const folder of await listFolders(parent))
      if (!["src/server", "src/web"].includes(`${parent}/${folder}`))
        expect(rows).toContain(`${parent}/${folder}`);
});

async function listFolders(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** Returns a heading's anchor as repository hosts make it: lowercase letters, hyphens for spaces, nothing else. */
const createAnchor = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, "")
    .replaceAll(" ", "-");

test("every link within the documents leads to an existing file and heading", async () => {
  for (const path of new Bun.Glob("{*,docs/**/*}.md").scanSync(".")) {
    const text = await Bun.file(path).text();
    const links = [...text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(
      ([, link]) => link!,
    );
    for (const link of links) {
      const [file, anchor] = link.split("#");
      const target = file === "" ? path : join(dirname(path), file!);
      expect([path, link, existsSync(target)]).toEqual([path, link, true]);
      if (anchor === undefined) continue;
      const headings = [...(await Bun.file(target).text()).matchAll(/^#+ (.*)$/gm)];
      expect([path, link, headings.map(([, heading]) => createAnchor(heading!))]).toEqual([
        path,
        link,
        expect.arrayContaining([anchor]),
      ]);
    }
  }
});
