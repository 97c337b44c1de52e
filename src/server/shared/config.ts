/** Reads the settings of a run from flags, variables and files, and checks whether they fit together. */
import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { getErrorCode } from "./errorDetails.ts";
import { wrongSetting } from "./errors.ts";
import {
  findClosestName,
  type CommandFlags,
  readFlags,
  type Setting,
  parseSetting,
} from "./settingTypes.ts";
import { SETTINGS } from "./settings.ts";

type SettingValue<S> = S extends Setting<infer T> ? T : never;

type SettingName = keyof typeof SETTINGS;
/** The names of settings with a default. Includes `backupDir`, whose default depends on another setting. */
type DefaultedSettingName =
  | "backupDir"
  | {
      [N in SettingName]: (typeof SETTINGS)[N]["default"] extends string ? N : never;
    }[SettingName];

/** The settings of a run. Settings without a default may be undefined. */
export type Config = {
  readonly [N in SettingName & DefaultedSettingName]: SettingValue<(typeof SETTINGS)[N]>;
} & {
  readonly [N in Exclude<SettingName, DefaultedSettingName>]:
    SettingValue<(typeof SETTINGS)[N]> | undefined;
};

const SETTING_FLAGS = Object.values(SETTINGS).map(({ flag }) => [flag, "value"] as const);

/**
 * Reads each setting from a flag (`--port 8080`), else from its variable, else from the file named after the variable
 * in CREDENTIALS_DIRECTORY. `flags` has "" for a flag without a value. Throws `wrong_setting`.
 */
export function readConfig(
  args: readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
  commandFlags: CommandFlags = {},
): { config: Config; positionals: string[]; flags: ReadonlyMap<string, string> } {
  const env = addCredentials(removeTrailingLineBreaks(variables));
  const { flags, rest: positionals } = readFlags(
    args,
    new Map([...SETTING_FLAGS, ...Object.entries(commandFlags)]),
  );
  const entries = Object.entries(SETTINGS as Record<SettingName, Setting<unknown>>).map(
    ([name, setting]) => [name, parseSetting(setting, flags.get(setting.flag), env[setting.env])],
  );
  const isSet = (name: SettingName) => flags.has(SETTINGS[name].flag) || !!env[SETTINGS[name].env];
  const base = applySiteDirDefaults(Object.fromEntries(entries) as Config, isSet);
  const defaultBackupDir = join(dirname(resolve(base.dataDir)), "backups");
  const config = applyHttpsDefaults(
    { ...base, backupDir: base.backupDir ?? defaultBackupDir },
    isSet,
  );
  assertSeparateFolders(config);
  assertDependentSettings(config);
  if (config.uploadsS3 ?? config.backupS3) assertNoSessionToken(variables);
  return { config, positionals, flags };
}

/** If SITE_DIR is set, places each folder that isn't set inside the site's folder. */
function applySiteDirDefaults(config: Config, isSet: (name: SettingName) => boolean): Config {
  if (!isSet("siteDir")) return config;
  const defaults = FOLDER_DEFAULTS.filter(([name]) => !isSet(name));
  const folders = defaults.map(([name, folder]) => [name, join(config.siteDir, folder)] as const);
  return { ...config, ...Object.fromEntries(folders) };
}

const FOLDER_DEFAULTS = [
  ["dataDir", "data"],
  ["uploadsDir", "uploads"],
  ["certificatesDir", "certificates"],
  ["backupDir", "backups"],
] as const;

/** Adds settings from files, such as systemd's credentials or secrets of containers. Variables take precedence. */
function addCredentials(env: Readonly<Record<string, string | undefined>>): typeof env {
  const folder = env["CREDENTIALS_DIRECTORY"];
  if (!folder) return env;
  const names = Object.values(SETTINGS).map((setting) => setting.env);
  const credentials = names.map((name) => [name, env[name] || readCredential(folder, name)]);
  return { ...env, ...Object.fromEntries(credentials) };
}

/**
 * Removes line breaks at the end of values, which some container programs pass from files. Must run before
 * `addCredentials`, because a variable that is only a line break would hide a credential.
 */
const removeTrailingLineBreaks = (env: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, value?.replace(/(?<![\r\n])[\r\n]+$/, "")]),
  );

/** Returns a credential; undefined if its file is missing. Throws `usage` if it can't be read. */
function readCredential(folder: string, name: string): string | undefined {
  try {
    return readFileSync(join(folder, name), "utf8").trim();
  } catch (error) {
    if (getErrorCode(error) === "ENOENT") return undefined;
    throw wrongSetting(
      `${name} can't be read from ${folder}. Give the service's user permission to read it.`,
    );
  }
}

export function findSettingSource(
  name: SettingName,
  flags: ReadonlyMap<string, string>,
  variables: Readonly<Record<string, string | undefined>>,
): "flag" | "variable" | "credential" | "default" {
  const { flag, env } = SETTINGS[name];
  if (flags.has(flag)) return "flag";
  const cleaned = removeTrailingLineBreaks(variables);
  if (cleaned[env]) return "variable";
  return addCredentials(cleaned)[env] ? "credential" : "default";
}

/** Returns a warning for each variable or credential that isn't a setting but resembles one. */
export function findMisspelledSettings(
  variables: Readonly<Record<string, string | undefined>>,
): string[] {
  const names = Object.values(SETTINGS).map(({ env }) => env as string);
  const providedNames = [
    ...Object.keys(variables),
    ...listCredentials(removeTrailingLineBreaks(variables)),
  ];
  return providedNames.flatMap((name) => {
    if (names.includes(name)) return [];
    // Removes the prefix LIMELIGHT_, because the settings of many container images begin with the program's name.
    const suggestion = findClosestName(name.toUpperCase().replace(/^LIMELIGHT_/, ""), names);
    return suggestion ? [`Unknown setting ${name}. Did you mean ${suggestion}?`] : [];
  });
}

/** Returns the names of the files in CREDENTIALS_DIRECTORY; none if the folder can't be listed. */
function listCredentials({ CREDENTIALS_DIRECTORY: folder }: NodeJS.ProcessEnv): string[] {
  if (!folder) return [];
  try {
    return readdirSync(folder).filter((name) => !name.startsWith("."));
  } catch {
    return [];
  }
}

/** Applies the defaults of a site that serves HTTPS itself: the standard port and its own domain. */
function applyHttpsDefaults(config: Config, isSet: (name: SettingName) => boolean): Config {
  const { domain, siteUrl } = config;
  if (!domain) return config;
  const url = siteUrl && new URL(siteUrl);
  // With http://, nobody could log in, and the port for HTTP would redirect to itself.
  if (url && (url.protocol !== "https:" || !domain.includes(url.hostname)))
    throw wrongSetting("SITE_URL must start with https:// and use a name from DOMAIN.");
  return {
    ...config,
    siteUrl: siteUrl ?? `https://${domain[0]}`,
    host: isSet("host") ? config.host : "::",
    port: isSet("port") ? config.port : 443,
  };
}

/** Returns the named settings as environment variables for a child process of this program. */
export function toEnvironment(
  config: Config,
  names: readonly SettingName[],
): Record<string, string> {
  const entries = names.map((name) => [SETTINGS[name].env, formatSetting(config[name])] as const);
  return Object.fromEntries(
    entries.filter((each): each is [string, string] => each[1] !== undefined),
  );
}

function formatSetting(value: Config[SettingName]): string | undefined {
  if (value === null || typeof value === "boolean") return value ? "on" : "off";
  if (Array.isArray(value)) return value.join(",");
  return typeof value === "object" && "text" in value ? value.text : value?.toString();
}

function assertDependentSettings(config: Config): void {
  const { backupS3, uploadsS3 } = config;
  if (config.mailUrl && !config.mailFrom)
    throw wrongSetting("MAIL_URL needs MAIL_FROM, the sender: Name <address@example.com>.");
  if (backupS3 && !config.backupKey)
    throw wrongSetting(
      "BACKUP_S3 requires BACKUP_KEY, because off-site backups are always encrypted. Create a key with: limelight backup --new-key key.txt",
    );
  const bucketSetting = uploadsS3 ? SETTINGS.uploadsS3 : backupS3 && SETTINGS.backupS3;
  if (bucketSetting && !(config.s3AccessKeyId && config.s3SecretAccessKey))
    throw wrongSetting(`${bucketSetting.env} needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.`);
}

/** Throws if a session token for S3 is set, because the runtime adds the token even to requests with other keys. */
function assertNoSessionToken(variables: Readonly<Record<string, string | undefined>>): void {
  const name = ["S3_SESSION_TOKEN", "AWS_SESSION_TOKEN"].find((each) => variables[each]);
  if (name)
    throw wrongSetting(
      `${name} belongs to a temporary key, and would be sent to the bucket with S3_ACCESS_KEY_ID. Remove it from the environment.`,
    );
}

/** Throws if the folders overlap, because uploads are public, and because a restore replaces whole folders. */
function assertSeparateFolders({ dataDir, uploadsDir, backupDir }: Config): void {
  if (containsPath(dataDir, uploadsDir) || containsPath(uploadsDir, dataDir))
    throw wrongSetting(
      "DATA_DIR and UPLOADS_DIR must be separate folders, neither inside the other.",
    );
  if (containsPath(dataDir, backupDir) || containsPath(uploadsDir, backupDir))
    throw wrongSetting("BACKUP_DIR must be outside DATA_DIR and UPLOADS_DIR.");
}

function containsPath(outer: string, inner: string): boolean {
  const path = relative(resolvePath(outer), resolvePath(inner));
  return path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}

/** Returns an absolute path without symbolic links. The end of the path needn't exist. */
function resolvePath(path: string): string {
  const absolutePath = resolve(path);
  try {
    return realpathSync(absolutePath);
  } catch {
    return dirname(absolutePath) === absolutePath
      ? absolutePath
      : join(resolvePath(dirname(absolutePath)), basename(absolutePath));
  }
}
