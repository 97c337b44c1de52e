/** Every setting of the program, declared once: what it means, its check, default, flag and variable. */
import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import * as v from "valibot";
import { parseDatabaseUrl } from "./databaseUrl.ts";
import { wrongSetting } from "./errors.ts";
import { s3Place } from "./s3Place.ts";
import { parseMailUrl, parseSender } from "./mailUrl.ts";
import {
  domains,
  hoursOrOff,
  httpsAddress,
  numberBetween,
  onOff,
  origin,
  type OwnFlags,
  parsed,
  proxies,
  readFlags,
  recipients,
  type Setting,
  setting,
  text,
  threeNumbers,
  valueOf,
} from "./setting.ts";

/** Every setting by its name in `Config`; the README's table says the same. */
export const SETTINGS = {
  host: setting("HOST", "127.0.0.1", "the address it listens on", text),
  port: setting("PORT", "3000", "the port it listens on", numberBetween(0, 65_535)),
  dataDir: setting("DATA_DIR", "./data", "where content and settings are kept", text),
  uploadsDir: setting("UPLOADS_DIR", "./uploads", "where uploaded pictures are kept", text),
  databaseUrl: setting(
    "DATABASE_URL",
    undefined,
    "keeps content and what visitors send in PostgreSQL instead, for several machines: postgres://user:password@host/name; better given as a variable than as a flag",
    parsed(parseDatabaseUrl),
  ),
  uploadsS3: setting(
    "UPLOADS_S3",
    undefined,
    "keeps pictures in a bucket instead, for several machines: s3://bucket?endpoint=https://…&region=…; UPLOADS_DIR then holds copies of them",
    s3Place,
  ),
  uploadsCache: setting(
    "UPLOADS_CACHE",
    "1024",
    "megabytes that the copies of pictures in UPLOADS_S3 may take on each machine",
    numberBetween(16, 999_999),
  ),
  uploadsPublicUrl: setting(
    "UPLOADS_PUBLIC_URL",
    undefined,
    "where pages fetch pictures, such as a CDN that gets them from this site",
    origin,
  ),
  siteUrl: setting(
    "SITE_URL",
    undefined,
    "the public address; with https it turns on Secure cookies and HSTS; the only Host and Origin answered",
    origin,
  ),
  domain: setting(
    "DOMAIN",
    undefined,
    "serves HTTPS itself, with a certificate for these names (the first is the site's): example.com, www.example.com",
    domains,
  ),
  email: setting(
    "EMAIL",
    undefined,
    "for DOMAIN: where the certificate authority writes when something is wrong",
    text,
  ),
  httpPort: setting(
    "HTTP_PORT",
    "80",
    "for DOMAIN: the port that is asked for the certificate, and redirects to HTTPS",
    numberBetween(0, 65_535),
  ),
  acmeDirectory: setting(
    "ACME_DIRECTORY",
    "https://acme-v02.api.letsencrypt.org/directory",
    "for DOMAIN: the certificate authority",
    httpsAddress,
  ),
  certificatesDir: setting(
    "CERTIFICATES_DIR",
    "./certificates",
    "for DOMAIN: where certificates and their keys are kept",
    text,
  ),
  trustedProxies: setting(
    "TRUSTED_PROXIES",
    undefined,
    "addresses or networks, separated by commas, whose X-Forwarded-For is believed",
    proxies,
  ),
  adminUsername: setting("ADMIN_USERNAME", undefined, "the first owner's username", text),
  adminEmail: setting("ADMIN_EMAIL", undefined, "the first owner's email address", text),
  adminPassword: setting("ADMIN_PASSWORD", undefined, "the first owner's password", v.string()),
  rateLimit: setting("RATE_LIMIT", "on", "off for load tests only", onOff),
  plainLogin: setting(
    "PLAIN_LOGIN",
    "off",
    "on lets the owner log in over plain HTTP at a public address",
    onOff,
  ),
  fontProvider: setting(
    "FONT_PROVIDER",
    undefined,
    "a public font provider that speaks css2?family=, instead of this site",
    origin,
  ),
  privateCalls: setting(
    "PRIVATE_CALLS",
    "off",
    "on lets webhooks and push messages go to addresses inside the site's own network, also by http://",
    onOff,
  ),
  retentionDays: setting(
    "RETENTION_DAYS",
    "30",
    "days after which a visitor's IP address and browser are removed",
    numberBetween(1, 3650),
  ),
  backupDir: setting(
    "BACKUP_DIR",
    undefined,
    "where backups are kept on this machine; if not given, the folder backups beside DATA_DIR",
    text,
  ),
  backupEvery: setting(
    "BACKUP_EVERY",
    "24",
    "hours from one backup to the next (1, 2, 3, 4, 6, 8, 12 or 24, counted from 3 at night), or off",
    hoursOrOff,
  ),
  backupKeep: setting(
    "BACKUP_KEEP",
    "7,4,12",
    "how many daily, weekly and monthly backups are kept, unless an owner chooses otherwise",
    threeNumbers,
  ),
  backupFree: setting(
    "BACKUP_FREE",
    "10",
    "percent of the disk that backups leave free",
    numberBetween(0, 90),
  ),
  backupS3: setting(
    "BACKUP_S3",
    undefined,
    "where backups are kept away from this machine: s3://bucket?endpoint=https://…&region=…",
    s3Place,
  ),
  backupKey: setting(
    "BACKUP_KEY",
    undefined,
    "the public part of the key (age1…) that backups are encrypted with before they leave this machine",
    recipients,
  ),
  s3AccessKeyId: setting(
    "S3_ACCESS_KEY_ID",
    undefined,
    "the name of the key to the S3 store",
    text,
  ),
  s3SecretAccessKey: setting(
    "S3_SECRET_ACCESS_KEY",
    undefined,
    "its secret; better given as a variable than as a flag, which others on the machine can see",
    text,
  ),
  mailUrl: setting(
    "MAIL_URL",
    undefined,
    "where mail is handed in, such as smtps://user:password@host:465; better given as a variable than as a flag",
    parsed(parseMailUrl),
  ),
  mailFrom: setting(
    "MAIL_FROM",
    undefined,
    "the sender of the site's mail: Name <address>",
    parsed(parseSender),
  ),
} as const;

type Value<S> = S extends Setting<infer T> ? T : never;

type Name = keyof typeof SETTINGS;
type Always =
  | "host"
  | "port"
  | "dataDir"
  | "uploadsDir"
  | "uploadsCache"
  | "rateLimit"
  | "plainLogin"
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

/**
 * Reads the settings from flags (`--port 8080`, `--port=8080`) and, where there is none, from the
 * environment. `rest` are the arguments that are no settings; `flags` has a command's own flags, "" for
 * one that stands alone. Throws `wrong_setting`.
 */
export function readConfig(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  own: OwnFlags = {},
): { config: Config; rest: string[]; flags: ReadonlyMap<string, string> } {
  const settings = Object.values(SETTINGS).map(({ flag }) => [flag, "value"] as const);
  const { flags, rest } = readFlags(args, new Map([...settings, ...Object.entries(own)]));
  const entries = Object.entries(SETTINGS as Record<Name, Setting<unknown>>).map(
    ([name, setting]) => [name, valueOf(setting, flags.get(setting.flag), env[setting.env])],
  );
  const given = Object.fromEntries(entries) as Config;
  const besideData = join(dirname(resolve(given.dataDir)), "backups");
  const isGiven = (name: Name) => flags.has(SETTINGS[name].flag) || !!env[SETTINGS[name].env];
  const config = withHttps({ ...given, backupDir: given.backupDir ?? besideData }, isGiven);
  keepApart(config);
  requireKeys(config);
  return { config, rest, flags };
}

/** A site that serves HTTPS itself is found where browsers look for it, unless told otherwise. */
function withHttps(config: Config, isGiven: (name: Name) => boolean): Config {
  const { domain, siteUrl } = config;
  if (!domain) return config;
  if (siteUrl !== undefined && !domain.includes(new URL(siteUrl).hostname))
    throw wrongSetting("SITE_URL must be https:// and a name of DOMAIN.");
  return {
    ...config,
    siteUrl: siteUrl ?? `https://${domain[0]}`,
    host: isGiven("host") ? config.host : "::",
    port: isGiven("port") ? config.port : 443,
  };
}

/** Some settings as variables, for another process of this program. */
export function environmentOf(config: Config, names: readonly Name[]): Record<string, string> {
  const given = names.map((name) => [SETTINGS[name].env, textOf(config[name])] as const);
  return Object.fromEntries(
    given.filter((each): each is [string, string] => each[1] !== undefined),
  );
}

function textOf(value: Config[Name]): string | undefined {
  if (value === null || typeof value === "boolean") return value ? "on" : "off";
  if (Array.isArray(value)) return value.join(",");
  return typeof value === "object" && "text" in value ? value.text : value?.toString();
}

/** Found out at the start, and not in the night. */
function requireKeys(config: Config): void {
  const { backupS3, uploadsS3 } = config;
  if (config.mailUrl && !config.mailFrom)
    throw wrongSetting("MAIL_URL needs MAIL_FROM, the sender: Name <address@example.com>.");
  if (backupS3 && !config.backupKey)
    throw wrongSetting(
      "BACKUP_S3 needs BACKUP_KEY, since what leaves this machine is encrypted. Make a key with: limelight backup --new-key key.txt",
    );
  const bucket = uploadsS3 ? SETTINGS.uploadsS3 : backupS3 && SETTINGS.backupS3;
  if (bucket && !(config.s3AccessKeyId && config.s3SecretAccessKey))
    throw wrongSetting(`${bucket.env} needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.`);
}

/** Uploads are public and a restore swaps folders whole, so neither may hold the other. */
export function keepApart({ dataDir, uploadsDir, backupDir }: Config): void {
  if (holds(dataDir, uploadsDir) || holds(uploadsDir, dataDir))
    throw wrongSetting("DATA_DIR and UPLOADS_DIR must be two folders, neither inside the other.");
  if (holds(dataDir, backupDir) || holds(uploadsDir, backupDir))
    throw wrongSetting("BACKUP_DIR must be outside of DATA_DIR and UPLOADS_DIR.");
}

function holds(outer: string, inner: string): boolean {
  const way = relative(realPath(outer), realPath(inner));
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Where a path leads, its links followed as far as it is there. */
function realPath(path: string): string {
  const whole = resolve(path);
  try {
    return realpathSync(whole);
  } catch {
    return dirname(whole) === whole ? whole : join(realPath(dirname(whole)), basename(whole));
  }
}
