/** `limelight settings`: prints the settings in effect and their sources. A secret is printed as "set". */
import {
  type Config,
  toEnvironment,
  findSettingSource,
  findMisspelledSettings,
} from "../shared/config.ts";
import { SETTINGS } from "../shared/settings.ts";
import { formatColumns, type Command, printLine } from "./command.ts";

export const settingsCommand: Command = {
  name: "settings",
  usage: "[--all]",
  summary: "shows the settings in effect and where each comes from; --all includes the defaults",
  flags: { "--all": "switch" },
  async run(config, _args, flags) {
    const names = Object.keys(SETTINGS) as (keyof Config)[];
    const values = toEnvironment(config, names);
    const rows = names.flatMap((name) => {
      const { env, isSecret } = SETTINGS[name];
      const source = findSettingSource(name, flags, process.env);
      const value = values[env];
      if (value === undefined || (source === "default" && !flags.has("--all"))) return [];
      return [[env, isSecret ? "set" : value, source] as const];
    });
    if (rows.length === 0)
      printLine("All settings have their default values. To list them: limelight settings --all");
    for (const line of formatColumns(rows)) printLine(line);
    for (const line of findMisspelledSettings(process.env)) printLine(line);
    return 0;
  },
};
