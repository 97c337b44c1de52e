/** A run's settings: read from flags and variables, checked against each other. */
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { wrongSetting } from "./errors.ts";
import { closestName, type CommandFlags, readFlags, type Setting, valueOf } from "./setting.ts";
import { SETTINGS } from "./settings.ts";

type Value<S> = S extends Setting<infer T> ? T : never;

type Name = keyof typeof SETTINGS;
type Always =
  | "host"
  | "port"
  | "siteDir"
  | "dataDir"
  | "uploadsDir"
  | "rateLimit"
  | "plainLogin"
  | "httpsSubdomains"
  | "httpPort"
  | "acmeDirectory"
  | "certificatesDir"
  | "retentionDays"
  | "backupDir"
  | "backupEvery"
  | "backupKeep"
  | "backupFree";

/** The settings of a run; those without a default may be undefined. */
export type Config = { readonly [N in Name & Always]: Value<(typeof SETTINGS)[N]> } & {
  readonly [N in Exclude<Name, Always>]: Value<(typeof SETTINGS)[N]> | undefined;
};

const SETTING_FLAGS = Object.values(SETTINGS).map(({ flag }) => [flag, "value"] as const);

/**
 * Reads the settings from flags (`--port 8080`, `--port=8080`), else from the environment, else from a file named
 * after the variable in CREDENTIALS_DIRECTORY. `rest` are the other arguments; `flags` has a command's own flags too,
 * "" for one without a value. Throws `wrong_setting`.
 */
export function readConfig(
  args: readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
  commandFlags: CommandFlags = {},
): { config: Config; rest: string[]; flags: ReadonlyMap<string, string> } {
  const env = withCredentials(variables);
  const { flags, rest } = readFlags(
    args,
    new Map([...SETTING_FLAGS, ...Object.entries(commandFlags)]),
  );
  const entries = Object.entries(SETTINGS as Record<Name, Setting<unknown>>).map(
    ([name, setting]) => [name, valueOf(setting, flags.get(setting.flag), env[setting.env])],
  );
  const isSet = (name: Name) => flags.has(SETTINGS[name].flag) || !!env[SETTINGS[name].env];
  const base = inSiteDir(Object.fromEntries(entries) as Config, isSet);
  const besideData = join(dirname(resolve(base.dataDir)), "backups");
  const config = withHttps({ ...base, backupDir: base.backupDir ?? besideData }, isSet);
  assertSeparateFolders(config);
  requireKeys(config);
  if (config.uploadsS3 ?? config.backupS3) refuseSessionToken(variables);
  return { config, rest, flags };
}

/** Folders that aren't set themselves are inside the site's folder. */
function inSiteDir(config: Config, isSet: (name: Name) => boolean): Config {
  const { siteDir } = config;
  if (!isSet("siteDir")) return config;
  const inside = (
    name: "dataDir" | "uploadsDir" | "certificatesDir" | "backupDir",
    folder: string,
  ) => (isSet(name) ? {} : { [name]: join(siteDir, folder) });
  return {
    ...config,
    ...inside("dataDir", "data"),
    ...inside("uploadsDir", "uploads"),
    ...inside("certificatesDir", "certificates"),
    ...inside("backupDir", "backups"),
  };
}

/**
 * Adds settings that are in files: systemd passes encrypted credentials and containers pass secrets this way.
 * Variables take precedence.
 */
function withCredentials(env: Readonly<Record<string, string | undefined>>): typeof env {
  const folder = env["CREDENTIALS_DIRECTORY"];
  if (!folder) return env;
  const names = Object.values(SETTINGS).map((setting) => setting.env);
  const available = names.filter((name) => !env[name] && existsSync(join(folder, name)));
  return {
    ...env,
    ...Object.fromEntries(available.map((name) => [name, credential(folder, name)])),
  };
}

function credential(folder: string, name: string): string {
  try {
    return readFileSync(join(folder, name), "utf8").trim();
  } catch {
    throw wrongSetting(
      `${name} can't be read from ${folder}. Give the service's user permission to read it.`,
    );
  }
}

/** The source of a setting's value. */
export function sourceOf(
  name: Name,
  flags: ReadonlyMap<string, string>,
  variables: Readonly<Record<string, string | undefined>>,
): "flag" | "variable" | "credential" | "default" {
  const { flag, env } = SETTINGS[name];
  if (flags.has(flag)) return "flag";
  if (variables[env]) return "variable";
  return withCredentials(variables)[env] ? "credential" : "default";
}

/** A line about each variable or credential that isn't a setting, but resembles one. */
export function misspelledSettings(
  variables: Readonly<Record<string, string | undefined>>,
): string[] {
  const names = Object.values(SETTINGS).map(({ env }) => env as string);
  const provided = [...Object.keys(variables), ...credentialNames(variables)];
  return provided.flatMap((name) => {
    if (names.includes(name)) return [];
    // Many programs for containers put their own name before their settings.
    const suggestion = closestName(name.toUpperCase().replace(/^LIMELIGHT_/, ""), names);
    return suggestion ? [`Unknown setting ${name}. Did you mean ${suggestion}?`] : [];
  });
}

/** The files of CREDENTIALS_DIRECTORY; none where it can't be read, which reading a setting reports. */
function credentialNames({ CREDENTIALS_DIRECTORY: folder }: NodeJS.ProcessEnv): string[] {
  if (!folder) return [];
  try {
    return readdirSync(folder).filter((name) => !name.startsWith("."));
  } catch {
    return [];
  }
}

/** A site that serves HTTPS itself uses the standard port and its own domain, unless configured otherwise. */
function withHttps(config: Config, isSet: (name: Name) => boolean): Config {
  const { domain, siteUrl } = config;
  if (!domain) return config;
  const url = siteUrl === undefined ? undefined : new URL(siteUrl);
  // Over http:// nobody could log in, and port 80 would redirect to itself.
  if (url && (url.protocol !== "https:" || !domain.includes(url.hostname)))
    throw wrongSetting("SITE_URL must start with https:// and use a name from DOMAIN.");
  return {
    ...config,
    siteUrl: siteUrl ?? `https://${domain[0]}`,
    host: isSet("host") ? config.host : "::",
    port: isSet("port") ? config.port : 443,
  };
}

/** Some settings as environment variables, for a child process of this program. */
export function environmentOf(config: Config, names: readonly Name[]): Record<string, string> {
  const entries = names.map((name) => [SETTINGS[name].env, textOf(config[name])] as const);
  return Object.fromEntries(
    entries.filter((each): each is [string, string] => each[1] !== undefined),
  );
}

function textOf(value: Config[Name]): string | undefined {
  if (value === null || typeof value === "boolean") return value ? "on" : "off";
  if (Array.isArray(value)) return value.join(",");
  return typeof value === "object" && "text" in value ? value.text : value?.toString();
}

/** Fails at startup rather than at night. */
function requireKeys(config: Config): void {
  const { backupS3, uploadsS3 } = config;
  if (config.mailUrl && !config.mailFrom)
    throw wrongSetting("MAIL_URL needs MAIL_FROM, the sender: Name <address@example.com>.");
  if (backupS3 && !config.backupKey)
    throw wrongSetting(
      "BACKUP_S3 requires BACKUP_KEY, because off-site backups are always encrypted. Create a key with: limelight backup --new-key key.txt",
    );
  const bucket = uploadsS3 ? SETTINGS.uploadsS3 : backupS3 && SETTINGS.backupS3;
  if (bucket && !hasBucketKey(config))
    throw wrongSetting(`${bucket.env} needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.`);
}

/** The runtime adds it to every request to a store, whatever a client is given. */
function refuseSessionToken(variables: Readonly<Record<string, string | undefined>>): void {
  const name = ["S3_SESSION_TOKEN", "AWS_SESSION_TOKEN"].find((each) => variables[each]);
  if (name)
    throw wrongSetting(
      `${name} belongs to a temporary key, and would be sent to the bucket with S3_ACCESS_KEY_ID. Remove it from the environment.`,
    );
}

/** Whether credentials for an S3 store are configured. */
const hasBucketKey = (config: Config): boolean =>
  config.s3AccessKeyId !== undefined && config.s3SecretAccessKey !== undefined;

/** Uploads are public and a restore swaps whole folders, so neither may contain the other. */
function assertSeparateFolders({ dataDir, uploadsDir, backupDir }: Config): void {
  if (holds(dataDir, uploadsDir) || holds(uploadsDir, dataDir))
    throw wrongSetting(
      "DATA_DIR and UPLOADS_DIR must be separate folders, neither inside the other.",
    );
  if (holds(dataDir, backupDir) || holds(uploadsDir, backupDir))
    throw wrongSetting("BACKUP_DIR must be outside DATA_DIR and UPLOADS_DIR.");
}

function holds(outer: string, inner: string): boolean {
  const path = relative(realPath(outer), realPath(inner));
  return path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}

/** A path with the links of its existing part resolved. */
function realPath(path: string): string {
  const whole = resolve(path);
  try {
    return realpathSync(whole);
  } catch {
    return dirname(whole) === whole ? whole : join(realPath(dirname(whole)), basename(whole));
  }
}
