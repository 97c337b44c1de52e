/** Every setting of the program, declared once: what it means, its check, default, flag and variable. */
import { realpathSync } from "node:fs";
import { isIP } from "node:net";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import * as v from "valibot";
import { wrongSetting } from "./errors.ts";

/** One setting. `schema` takes the text typed (or undefined) and returns the value used. */
export interface Setting<T> {
  readonly flag: string;
  readonly env: string;
  /** As shown in the documentation; undefined when the setting is off unless given. */
  readonly default: string | undefined;
  readonly meaning: string;
  readonly schema: v.GenericSchema<string, T>;
}

const setting = <T>(
  env: string,
  fallback: string | undefined,
  meaning: string,
  schema: v.GenericSchema<string, T>,
): Setting<T> => ({
  flag: `--${env.toLowerCase().replaceAll("_", "-")}`,
  env,
  default: fallback,
  meaning,
  schema,
});

const text = v.pipe(v.string(), v.trim(), v.nonEmpty("must not be empty"));

const numberBetween = (low: number, high: number) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,6}$/, `must be a whole number from ${low} to ${high}`),
    v.transform(Number),
    v.minValue(low, `must be a whole number from ${low} to ${high}`),
    v.maxValue(high, `must be a whole number from ${low} to ${high}`),
  );

const NO_ORIGIN = "must be an address such as https://example.com, without a path";
const origin = v.pipe(
  text,
  v.check(isOrigin, NO_ORIGIN),
  v.transform((address) => new URL(address).origin),
);

function isOrigin(address: string): boolean {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return false;
  const { pathname, search, hash, username } = new URL(address);
  return pathname === "/" && search === "" && hash === "" && username === "";
}

const proxies = v.pipe(
  v.string(),
  v.transform((list) => list.split(/[\s,]+/).filter((entry) => entry !== "")),
  v.check((list) => list.every(isNetwork), "must be IP addresses or networks such as 10.0.0.0/8"),
);

function isNetwork(entry: string): boolean {
  const [address = "", bits, ...rest] = entry.split("/");
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
  );
}

const onOff = v.pipe(
  v.picklist(["on", "off"], "must be on or off"),
  v.transform((word) => word === "on"),
) as v.GenericSchema<string, boolean>;

/** Every setting by its name in `Config`; the README's table says the same. */
export const SETTINGS = {
  host: setting("HOST", "127.0.0.1", "the address it listens on", text),
  port: setting("PORT", "3000", "the port it listens on", numberBetween(0, 65_535)),
  dataDir: setting("DATA_DIR", "./data", "where content and settings are kept", text),
  uploadsDir: setting("UPLOADS_DIR", "./uploads", "where uploaded pictures are kept", text),
  siteUrl: setting(
    "SITE_URL",
    undefined,
    "the public address; with https it turns on Secure cookies and HSTS; the only Host and Origin answered",
    origin,
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
  retentionDays: setting(
    "RETENTION_DAYS",
    "30",
    "days after which a visitor's IP address and browser are removed",
    numberBetween(1, 3650),
  ),
} as const;

type Value<S> = S extends Setting<infer T> ? T : never;

type Name = keyof typeof SETTINGS;
type Always =
  "host" | "port" | "dataDir" | "uploadsDir" | "rateLimit" | "plainLogin" | "retentionDays";

/** The settings of a run; those without a default may be undefined. */
export type Config = { readonly [N in Name & Always]: Value<(typeof SETTINGS)[N]> } & {
  readonly [N in Exclude<Name, Always>]: Value<(typeof SETTINGS)[N]> | undefined;
};

/** Flags that a command has beside the settings: whether a value comes after each. */
export type OwnFlags = Readonly<Record<`--${string}`, "value" | "alone">>;

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
  const { flags, rest } = readFlags(args, own);
  const entries = Object.entries(SETTINGS as Record<Name, Setting<unknown>>).map(
    ([name, setting]) => [name, valueOf(setting, flags.get(setting.flag), env[setting.env])],
  );
  const config = Object.fromEntries(entries) as Config;
  keepApart(config);
  return { config, rest, flags };
}

/** Uploads are public and a restore swaps folders whole, so neither may hold the other. */
function keepApart({ dataDir, uploadsDir }: Config): void {
  if (holds(dataDir, uploadsDir) || holds(uploadsDir, dataDir))
    throw wrongSetting("DATA_DIR and UPLOADS_DIR must be two folders, neither inside the other.");
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

function valueOf(setting: Setting<unknown>, flag?: string, variable?: string): unknown {
  const given = flag ?? (variable === "" ? undefined : variable) ?? setting.default;
  if (given === undefined) return undefined;
  const outcome = v.safeParse(setting.schema, given);
  if (outcome.success) return outcome.output;
  const source = flag === undefined ? setting.env : setting.flag;
  throw wrongSetting(`${source} ${outcome.issues[0].message}.`);
}

function readFlags(args: readonly string[], own: OwnFlags) {
  const settings = Object.values(SETTINGS).map(({ flag }) => [flag, "value"] as const);
  const known = new Map<string, string>([...settings, ...Object.entries(own)]);
  const flags = new Map<string, string>();
  const rest: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const [flag = "", ...value] = args[at]!.split("=");
    if (!flag.startsWith("--")) rest.push(args[at]!);
    else if (!known.has(flag)) throw wrongSetting(`There is no setting ${flag}. Try "help".`);
    else if (known.get(flag) === "alone") flags.set(flag, "");
    else if (value.length > 0) flags.set(flag, value.join("="));
    else if (at + 1 < args.length) flags.set(flag, args[++at]!);
    else throw wrongSetting(`${flag} needs a value after it.`);
  }
  return { flags, rest };
}
