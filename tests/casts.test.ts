/** A value is checked where it comes in: nothing is made what it isn't by a cast. */
import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

const SERVER = join(import.meta.dir, "..", "src", "server");
/** Whose types leave no other way; a comment above such a cast says so. */
const LIBRARY = /\/\/.*(?:Elysia|SimpleWebAuthn|Bun|Node)|\* .*(?:Elysia|SimpleWebAuthn|Bun|Node)/;
/** Rooms that have casts of their own still; none is added to this list. */
const NOT_YET = /^(?:backup|content|pages|storage|uploads)\//;

const sources = (await readdir(SERVER, { recursive: true })).filter((name) => /\.tsx?$/.test(name));
const linesOf = async (name: string) => (await Bun.file(join(SERVER, name)).text()).split("\n");

test("no body is read by a cast: a schema or readFields says what is in it", async () => {
  const found: string[] = [];
  for (const name of sources)
    for (const line of await linesOf(name))
      // oxlint-disable-line no-await-in-loop
      if (/(?:readJson|readFields|readBytes)\(.*\) as /.test(line))
        found.push(`${name}: ${line.trim()}`);
  expect(found).toEqual([]);
});

test("a cast through unknown or never stands below a comment that names the library at fault", async () => {
  const found: string[] = [];
  for (const name of sources.filter((each) => !NOT_YET.test(each))) {
    const lines = await linesOf(name); // oxlint-disable-line no-await-in-loop
    for (const [at, line] of lines.entries()) {
      if (/^\s*(?:\/\/|\*|\/\*)/.test(line) || !/ as (?:unknown as|never\b)/.test(line)) continue;
      if (!LIBRARY.test(lines.slice(Math.max(0, at - 4), at).join("\n")))
        found.push(`${name}: ${line.trim()}`);
    }
  }
  expect(found).toEqual([]);
});
