/** Keeps the settings table of the README as the program declares it: `bun src/build/readme.ts`. */
import { SETTINGS } from "../server/shared/settings.ts";

const MARKS = /<!-- settings -->[\s\S]*<!-- \/settings -->/;

/** The README with its settings table brought up to date. */
function withSettings(readme: string): string {
  const rows = Object.values(SETTINGS).map(
    ({ env, flag, default: fallback, meaning }) =>
      `| \`${env}\` | \`${flag}\` | ${fallback === undefined ? "none" : `\`${fallback}\``} | ${meaning} |`,
  );
  const table = ["| Variable | Flag | Default | Meaning |", "| --- | --- | --- | --- |", ...rows];
  return readme.replace(MARKS, `<!-- settings -->\n\n${table.join("\n")}\n\n<!-- /settings -->`);
}

if (import.meta.main) {
  await Bun.write("README.md", withSettings(await Bun.file("README.md").text()));
  await Bun.$`bun fmt README.md`.quiet();
}
