import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { SETTINGS } from "../src/server/shared/settings.ts";

test("the README lists eight settings and operating.md the others, as they are declared", async () => {
  const rowsOf = async (document: string) => {
    const lines = (await Bun.file(document).text()).split("\n");
    const cells = lines.map((line) => line.split("|").map((cell) => cell.trim()));
    return cells.filter(([, name, flag]) => name?.startsWith("`") && flag?.startsWith("`--"));
  };
  const [few, others] = await Promise.all(["README.md", "docs/operating.md"].map(rowsOf));
  expect(few).toHaveLength(8);
  const stated = [...few!, ...others!].map((cells) => cells.slice(1, 5).join(" | "));
  const declared = Object.values(SETTINGS).map(({ env, flag, default: fallback, meaning }) =>
    [
      `\`${env}\``,
      `\`${flag}\``,
      fallback === undefined ? "none" : `\`${fallback}\``,
      meaning,
    ].join(" | "),
  );
  expect(stated.toSorted()).toEqual(declared.toSorted());
});

test("the README lists every command", async () => {
  const readme = await Bun.file("README.md").text();
  const source = await Bun.file("src/server/cli/run.ts").text();
  const names = [...source.matchAll(/^ {2}\["(\w+)", async/gm)].map((match) => match[1]!);
  expect(names).toContain("serve");
  for (const name of names) expect(readme).toContain(`| \`limelight ${name}`);
});

const PATH = /`((?:src|docs|tests|bench)(?:\/[\w.-]+)+|build\.ts)`/g;

for (const document of ["README.md", "docs/architecture.md", "docs/style.md"]) {
  test(`every file and folder that ${document} names is there`, async () => {
    const named = [...(await Bun.file(document).text()).matchAll(PATH)].map((match) => match[1]!);
    expect(named.length).toBeGreaterThan(2);
    for (const path of named) expect([path, existsSync(path)]).toEqual([path, true]);
  });
}

test("every room of the picture is a folder, and every folder of the server is in it", async () => {
  const picture = await Bun.file("docs/architecture.svg").text();
  const names = [...picture.matchAll(/font-weight="600">([^<]+)</g)].map((match) => match[1]!);
  const rooms = await Promise.all(["src/server", "src/web", "src"].map(foldersIn));
  for (const name of names)
    expect([name, rooms.flat().includes(name.replace("src/", ""))]).toEqual([name, true]);
  expect(rooms[0]!.filter((folder) => !names.includes(folder))).toEqual([]);
});

test("the README's table of the code has a row for every folder of it", async () => {
  const readme = await Bun.file("README.md").text();
  const rows = [...readme.matchAll(/^\| `(src\/[\w/]+)` +\|/gm)].map((match) => match[1]!);
  for (const place of ["src", "src/server", "src/web"])
    for (const folder of await foldersIn(place))
      if (!["src/server", "src/web"].includes(`${place}/${folder}`))
        expect(rows).toContain(`${place}/${folder}`);
});

async function foldersIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}
