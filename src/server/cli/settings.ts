/** `limelight settings`: the settings in force and their sources; secrets only as "set". */
import { type Config, environmentOf, sourceOf, misspelledSettings } from "../shared/config.ts";
import { SETTINGS } from "../shared/settings.ts";
import { columns, type Command, printLine } from "./command.ts";

export const settings: Command = {
  name: "settings",
  usage: "[--all]",
  summary: "shows the settings in effect and where each comes from; --all includes the defaults",
  flags: { "--all": "alone" },
  async run(config, _args, flags) {
    const names = Object.keys(SETTINGS) as (keyof Config)[];
    const values = environmentOf(config, names);
    const rows = names.flatMap((name) => {
      const { env, isSecret } = SETTINGS[name];
      const source = sourceOf(name, flags, process.env);
      const value = values[env];
      if (value === undefined || (source === "default" && !flags.has("--all"))) return [];
      return [[env, isSecret ? "set" : value, source] as const];
    });
    if (rows.length === 0)
      printLine("All settings have their default values. To list them: limelight settings --all");
    for (const line of columns(rows)) printLine(line);
    for (const line of misspelledSettings(process.env)) printLine(line);
    return 0;
  },
};
