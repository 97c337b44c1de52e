/** The type of a setting, and the schemas that check and convert the values of settings. */
import { isIP } from "node:net";
import * as v from "valibot";
import { emailSchema } from "../../schema/core/email.ts";
import { toAsciiDomain } from "../../schema/core/emailAddress.ts";
import { DATA_KEY_OFF } from "./secrets.ts";
import { wrongSetting } from "./errors.ts";
import { getErrorMessage } from "./errorDetails.ts";

/** A setting. `schema` checks the text of a flag or a variable and converts the text to a value. */
export interface Setting<T, D extends string | undefined = string | undefined> {
  readonly flag: string;
  readonly env: string;
  /** The default as text; undefined for a setting without a default. */
  readonly default: D;
  readonly description: string;
  readonly schema: v.GenericSchema<string, T>;
  /** True if the value must never be displayed. */
  readonly isSecret: boolean;
}

/** Defines a setting. The flag's name is derived from `env`, the environment variable: `--data-dir` for DATA_DIR. */
export const defineSetting = <T, D extends string | undefined>(
  env: string,
  defaultText: D,
  description: string,
  schema: v.GenericSchema<string, T>,
  secret?: "secret",
): Setting<T, D> => ({
  flag: `--${env.toLowerCase().replaceAll("_", "-")}`,
  env,
  default: defaultText,
  description,
  schema,
  isSecret: secret !== undefined,
});

export const nonEmptyTextSchema = v.pipe(v.string(), v.trim(), v.nonEmpty("must not be empty"));

export const emailAddressSchema = v.pipe(
  nonEmptyTextSchema,
  v.check((address) => v.is(emailSchema, address), "must be an address such as name@example.com"),
);

/** The token of a monitor. The minimum length makes guessing it impossible. */
export const tokenSchema = v.pipe(
  nonEmptyTextSchema,
  v.regex(
    /^[\w.~+/=-]{16,200}$/,
    "must have at least 16 characters: letters, digits or . _ ~ + / = -",
  ),
);

export const createNumberSchema = (min: number, max: number) =>
  v.pipe(
    v.string(),
    v.check(
      (text) => /^\d{1,6}$/.test(text) && Number(text) >= min && Number(text) <= max,
      `must be a whole number from ${min} to ${max}`,
    ),
    v.transform(Number),
  );

const INVALID_ORIGIN_MESSAGE = "must be an address such as https://example.com, without a path";
export const originSchema = v.pipe(
  nonEmptyTextSchema,
  v.check(isOrigin, INVALID_ORIGIN_MESSAGE),
  v.transform((address) => {
    const url = new URL(address);
    url.hostname = stripRootDot(url.hostname);
    return url.origin;
  }),
);

/** Removes the dot at the end of a host name, also before a port: "example.com." is the same host as "example.com". */
export const stripRootDot = (host: string): string => host.replace(/\.(?=:\d{1,5}$|$)/, "");

function isOrigin(address: string): boolean {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return false;
  const { pathname, search, hash, username } = new URL(address);
  return pathname === "/" && search === "" && hash === "" && username === "";
}

const listSchema = v.pipe(
  v.string(),
  v.transform((list) => list.split(/[\s,]+/).filter((entry) => entry !== "")),
);

export const proxiesSchema = v.pipe(
  listSchema,
  v.everyItem(isNetwork, "must be IP addresses or networks such as 10.0.0.0/8"),
);

function isNetwork(entry: string): boolean {
  const [address = "", bits, ...extraParts] = entry.split("/");
  const family = isIP(address);
  if (family === 0 || extraParts.length > 0) return false;
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
  );
}

export const onOffSchema = v.pipe(
  v.picklist(["on", "off"], "must be on or off"),
  v.transform((word) => word === "on"),
) as v.GenericSchema<string, boolean>;

/** Divisors of 24, so that backups run at the same hours every day. */
const ALLOWED_HOURS = [1, 2, 3, 4, 6, 8, 12, 24];
export const hoursOrOffSchema = v.pipe(
  v.string(),
  v.check(
    (text) => text === "off" || ALLOWED_HOURS.some((hours) => String(hours) === text),
    `must be ${ALLOWED_HOURS.join(", ")} or off`,
  ),
  v.transform((text) => (text === "off" ? null : Number(text))),
);

export const backupCountsSchema = v.pipe(
  v.string(),
  v.regex(/^\d{1,3},\d{1,3},\d{1,3}$/, "must be three numbers such as 7,4,12"),
  v.transform((text) => text.split(",").map(Number) as [number, number, number]),
);

export const recipientsSchema = v.pipe(
  listSchema,
  v.check(
    (list) => list.length > 0 && list.every((entry) => /^age1[a-z0-9]+$/.test(entry)),
    "must be a public key, which begins with age1",
  ),
);

const INVALID_DATA_KEY_MESSAGE =
  'must be 32 random bytes in base64, as from "openssl rand -base64 32"; to rotate the key, put the new key and a comma before the old one';

/** The first key encrypts, and all keys decrypt. If the first entry is "off", nothing is encrypted. */
export const dataKeysSchema = v.pipe(
  listSchema,
  v.check(
    (list) =>
      list.length > 0 &&
      list.every((entry, index) => isDataKey(entry) || (entry === DATA_KEY_OFF && index === 0)),
    INVALID_DATA_KEY_MESSAGE,
  ),
);

const isDataKey = (entry: string) =>
  /^[A-Za-z\d+/]{43}=?$/.test(entry) && Buffer.from(entry, "base64").length === 32;

const INVALID_DOMAIN_MESSAGE = "must be names such as example.com, separated by commas";

/** The site's domain names in ASCII (IDNA), without duplicates. Refuses IP addresses: certificates are for names. */
export const domainsSchema = v.pipe(
  listSchema,
  v.transform((list) => [
    ...new Set(list.map((name) => toAsciiDomain(stripRootDot(name.toLowerCase())))),
  ]),
  v.check((list) => list.length > 0 && list.every(isDomain), INVALID_DOMAIN_MESSAGE),
);

const DOMAIN_LABEL_PATTERN = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/;

function isDomain(name: string): boolean {
  const labels = name.split(".");
  const isName = labels.length > 1 && labels.every((label) => DOMAIN_LABEL_PATTERN.test(label));
  return isName && name.length <= 253 && isIP(name) === 0;
}

/** The URL of a service. Must use https, so that others can't read requests to the service. */
export const httpsAddressSchema = v.pipe(
  nonEmptyTextSchema,
  v.check(
    (address) => /^https:\/\//i.test(address) && URL.canParse(address),
    "must be an address that starts with https://",
  ),
);

/** Creates a schema from `parse`. The value also has the original `text`, which is passed to child processes. */
export function createParsedSchema<T extends object>(
  parse: (text: string) => T,
): v.GenericSchema<string, T & { readonly text: string }> {
  return v.pipe(
    nonEmptyTextSchema,
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      try {
        return { ...parse(dataset.value), text: dataset.value };
      } catch (error) {
        addIssue({ message: getErrorMessage(error) });
        return NEVER;
      }
    }),
  );
}

/** The flags of a command. A "value" follows the flag; a "switch" has no value. */
export type CommandFlags = Readonly<Record<`--${string}`, "value" | "switch">>;

/** Returns the value of a setting given as a flag or a variable. Throws `wrong_setting`. */
export function parseSetting(setting: Setting<unknown>, flag?: string, variable?: string): unknown {
  const text = flag ?? (variable === "" ? undefined : variable) ?? setting.default;
  if (text === undefined) return undefined;
  const outcome = v.safeParse(setting.schema, text);
  if (outcome.success) return outcome.output;
  const source = flag === undefined ? setting.env : setting.flag;
  throw wrongSetting(`${source} ${outcome.issues[0].message}.`);
}

/** Splits arguments into flags and the rest. `flagNames` contains all allowed flags. Throws `wrong_setting`. */
export function readFlags(
  args: readonly string[],
  flagNames: ReadonlyMap<string, "value" | "switch">,
) {
  const flags = new Map<string, string>();
  const positionals: string[] = [];
  const remainingArgs = [...args];
  for (let arg = remainingArgs.shift(); arg !== undefined; arg = remainingArgs.shift()) {
    const [flag = "", ...value] = arg.split("=");
    if (!flag.startsWith("--")) positionals.push(arg);
    else if (!flagNames.has(flag)) throw createUnknownFlagRefusal(flag, [...flagNames.keys()]);
    else if (flagNames.get(flag) === "switch") {
      // Refuses `--flag=no`, which would otherwise turn the flag on.
      if (value.length > 0)
        throw wrongSetting(`${flag} takes no value. Leave the flag out to turn it off.`);
      flags.set(flag, "");
    } else {
      const flagValue = value.length > 0 ? value.join("=") : remainingArgs.shift();
      if (flagValue === undefined) throw wrongSetting(`${flag} needs a value after it.`);
      flags.set(flag, flagValue);
    }
  }
  return { flags, rest: positionals };
}

function createUnknownFlagRefusal(flag: string, flagNames: readonly string[]) {
  const suggestion = findClosestName(flag, flagNames);
  return wrongSetting(
    suggestion
      ? `Unknown flag ${flag}. Did you mean ${suggestion}?`
      : `Unknown flag ${flag}. Run "limelight help".`,
  );
}

/** Returns the most similar name, if any. MAIL isn't taken for EMAIL, because it may be another program's variable. */
export function findClosestName(misspelled: string, names: readonly string[]): string | undefined {
  const candidates = names.flatMap((name) => {
    const distance = computeEditDistance(misspelled, name);
    const isShortened = name.length < 6 && misspelled.length < name.length;
    return !isShortened && distance <= (name.length < 10 ? 1 : 2)
      ? [{ name, letters: distance }]
      : [];
  });
  return candidates.toSorted((one, other) => one.letters - other.letters)[0]?.name;
}

/** Returns how many letters must be added, removed, replaced or swapped. Gives up above `limit`. */
function computeEditDistance(one: string, other: string, limit = 2): number {
  if (limit < 0) return Number.POSITIVE_INFINITY;
  if (one === "" || other === "") return one.length + other.length;
  const [a, b] = [one.slice(1), other.slice(1)];
  if (one[0] === other[0]) return computeEditDistance(a, b, limit);
  const isSwapped = one[0] === other[1] && one[1] === other[0];
  const remainders = [
    [a, other],
    [one, b],
    [a, b],
    ...(isSwapped ? [[a.slice(1), b.slice(1)] as const] : []),
  ] as const;
  return (
    1 + Math.min(...remainders.map(([left, right]) => computeEditDistance(left, right, limit - 1)))
  );
}
