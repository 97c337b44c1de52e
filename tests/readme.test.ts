import { expect, test } from "bun:test";
import { SETTINGS } from "../src/server/config.ts";

test("the README lists every setting with its variable, flag, default and meaning", async () => {
  const readme = await Bun.file("README.md").text();
  const rows = readme.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
  for (const { env, flag, default: fallback, meaning } of Object.values(SETTINGS)) {
    const row = rows.find((cells) => cells[1] === `\`${env}\``);
    expect(row?.slice(2, 5)).toEqual([
      `\`${flag}\``,
      fallback === undefined ? "none" : `\`${fallback}\``,
      meaning,
    ]);
  }
});

test("every file that the README names is there", async () => {
  const readme = await Bun.file("README.md").text();
  const named = [...readme.matchAll(/`((?:src|docs|tests|bench)\/[\w./-]+\.\w+)`/g)].map(
    (m) => m[1]!,
  );
  expect(named.length).toBeGreaterThan(3);
  for (const path of named) expect([path, await Bun.file(path).exists()]).toEqual([path, true]);
});
