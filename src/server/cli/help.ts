/** `limelight help`: an overview, one command in full, or all settings. */
import { assertDefined } from "../../schema/core/assertDefined.ts";
import { join } from "node:path";
import { loadWebBuild, NOTICES_FILE } from "../pages/webBuild.ts";
import { SETTING_GROUPS, SETTINGS } from "../shared/settings.ts";
import { formatColumns, type Command, createUnknownCommandRefusal } from "./command.ts";

/** The help page with the licenses of all libraries. The program must be distributed with these licenses. */
const LICENSES_PAGE = "licenses";

/** Commands that aren't in `COMMANDS`, since run.ts runs them itself. */
const OTHER_COMMANDS: readonly (readonly [usage: string, summary: string])[] = [
  ["version", "shows the version"],
  ["help <command>", "shows a command with its flags"],
  [`help ${LICENSES_PAGE}`, "shows the licenses of everything in this program"],
];

type Commands = ReadonlyMap<string, () => Promise<Command>>;

/** Returns a command's help; without a name, the overview. Throws `usage` for an unknown command. */
export async function createHelpText(commands: Commands, name?: string): Promise<string> {
  if (name === undefined)
    return formatOverview(await Promise.all([...commands.values()].map((load) => load())));
  if (name === LICENSES_PAGE) {
    const { directory } = await loadWebBuild();
    return (await Bun.file(join(directory, NOTICES_FILE)).text()).replace(/\n$/, "");
  }
  const match = OTHER_COMMANDS.find(([usage]) => usage.split(" ")[0] === name);
  if (match) return `limelight ${match[0]}\n  ${match[1]}`;
  const load = commands.get(name);
  if (!load) throw createUnknownCommandRefusal(name);
  const { usage = "", summary } = await load();
  const groups = Object.entries(SETTING_GROUPS);
  return [
    `limelight ${name} ${usage}`.trim(),
    ...summary.split("; ").map((part) => `  ${part}`),
    ...(name === "settings"
      ? groups.flatMap(formatSettingGroup)
      : ["", "For settings, run: limelight help settings"]),
  ].join("\n");
}

function formatOverview(commands: readonly Command[]): string {
  const [mostUsedGroup] = Object.entries(SETTING_GROUPS);
  return [
    "Limelight: a performer's website and its dashboard in one program.",
    "",
    "Commands",
    ...formatColumns([
      // Everything after the first semicolon is about flags, which only a command's own help describes.
      ...commands.map(({ name, summary }) => [name, summary.replace(/;.*/, "")]),
      ...OTHER_COMMANDS,
    ]),
    ...formatSettingGroup(assertDefined(mostUsedGroup, "group")),
    "",
    "For all settings, run: limelight help settings",
  ].join("\n");
}

function formatSettingGroup([title, names]: readonly [
  string,
  readonly (keyof typeof SETTINGS)[],
]): string[] {
  const rows = names.map((name) => {
    const { flag, env, default: fallback, description } = SETTINGS[name];
    const defaultNote = fallback === undefined ? "" : ` (default ${fallback})`;
    return [`${flag}, ${env}`, description + defaultNote];
  });
  return ["", title, ...formatColumns(rows)];
}
