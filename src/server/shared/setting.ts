/** The shape of a setting, and the types of values that settings take. */
import { isIP } from "node:net";
import * as v from "valibot";
import { emailSchema } from "../../schema/core/email.ts";
import { DATA_KEY_OFF } from "./dataKey.ts";
import { wrongSetting } from "./errors.ts";
import { errorMessage } from "./errorDetails.ts";

/** One setting. `schema` checks the given text and converts it to the value used. */
export interface Setting<T> {
  readonly flag: string;
  readonly env: string;
  /** The default as the documentation shows it; undefined for a setting without one. */
  readonly default: string | undefined;
  readonly description: string;
  readonly schema: v.GenericSchema<string, T>;
  /** True if the value must never be displayed. */
  readonly isSecret: boolean;
}

/**
 * Defines a setting by its environment variable; the flag's name follows from the variable's. `fallback` is the
 * default.
 */
export const defineSetting = <T>(
  env: string,
  fallback: string | undefined,
  meaning: string,
  schema: v.GenericSchema<string, T>,
  secret?: "secret",
): Setting<T> => ({
  flag: `--${env.toLowerCase().replaceAll("_", "-")}`,
  env,
  default: fallback,
  description: meaning,
  schema,
  isSecret: secret !== undefined,
});

export const nonEmptyText = v.pipe(v.string(), v.trim(), v.nonEmpty("must not be empty"));

export const emailAddressSchema = v.pipe(
  nonEmptyText,
  v.check((address) => v.is(emailSchema, address), "must be an address such as name@example.com"),
);

/** The token must be unguessable. */
export const tokenSchema = v.pipe(
  nonEmptyText,
  v.regex(
    /^[\w.~+/=-]{16,200}$/,
    "must have at least 16 characters: letters, digits or . _ ~ + / = -",
  ),
);

export const createNumberSchema = (low: number, high: number) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,6}$/, `must be a whole number from ${low} to ${high}`),
    v.transform(Number),
    v.minValue(low, `must be a whole number from ${low} to ${high}`),
    v.maxValue(high, `must be a whole number from ${low} to ${high}`),
  );

const INVALID_ORIGIN_MESSAGE = "must be an address such as https://example.com, without a path";
export const originSchema = v.pipe(
  nonEmptyText,
  v.check(isOrigin, INVALID_ORIGIN_MESSAGE),
  v.transform((address) => new URL(address).origin),
);

function isOrigin(address: string): boolean {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return false;
  const { pathname, search, hash, username } = new URL(address);
  return pathname === "/" && search === "" && hash === "" && username === "";
}

export const proxiesSchema = v.pipe(
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

export const threeNumbersSchema = v.pipe(
  v.string(),
  v.regex(/^\d{1,3},\d{1,3},\d{1,3}$/, "must be three numbers such as 7,4,12"),
  v.transform((text) => text.split(",").map(Number) as [number, number, number]),
);

export const recipientsSchema = v.pipe(
  v.string(),
  v.transform((list) => list.split(/[\s,]+/).filter((entry) => entry !== "")),
  v.check(
    (list) => list.length > 0 && list.every((entry) => /^age1[a-z0-9]+$/.test(entry)),
    "must be a public key, which begins with age1",
  ),
);

const INVALID_DATA_KEY_MESSAGE =
  'must be 32 random bytes in base64, as from "openssl rand -base64 32"; to rotate it, the new key, a comma and the old one';

/** The first key encrypts; all keys decrypt. "off, key" stops encrypting. */
export const dataKeysSchema = v.pipe(
  v.string(),
  v.transform((list) => list.split(/[\s,]+/).filter((entry) => entry !== "")),
  v.check(
    (list) =>
      list.length > 0 &&
      list.every((entry, at) => isDataKey(entry) || (entry === DATA_KEY_OFF && at === 0)),
    INVALID_DATA_KEY_MESSAGE,
  ),
);

const isDataKey = (entry: string) =>
  /^[A-Za-z\d+/]{43}=?$/.test(entry) && Buffer.from(entry, "base64").length === 32;

const INVALID_DOMAIN_MESSAGE = "must be names such as example.com, separated by commas";

/** The site's domain names, without duplicates. IP addresses are refused: there are no certificates for them. */
export const domainsSchema = v.pipe(
  v.string(),
  v.transform((list) => [...new Set(list.toLowerCase().split(/[\s,]+/))].filter(Boolean)),
  v.check((list) => list.length > 0 && list.every(isDomain), INVALID_DOMAIN_MESSAGE),
);

const DOMAIN_LABEL_PATTERN = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/;

function isDomain(name: string): boolean {
  const labels = name.split(".");
  const isName = labels.length > 1 && labels.every((label) => DOMAIN_LABEL_PATTERN.test(label));
  return isName && name.length <= 253 && isIP(name) === 0;
}

/** A service's address; https is required because requests to the service must not be read in transit. */
export const httpsAddressSchema = v.pipe(
  nonEmptyText,
  v.check(
    (address) => /^https:\/\//i.test(address) && URL.canParse(address),
    "must be an address that starts with https://",
  ),
);
/**
 * A schema for values that `parse` reads. The message of the Error that `parse` throws continues the setting's name.
 */
export function createParsedSchema<T extends object>(
  parse: (text: string) => T,
): v.GenericSchema<string, T & OriginalText> {
  return v.pipe(
    nonEmptyText,
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      try {
        return { ...parse(dataset.value), text: dataset.value };
      } catch (error) {
        addIssue({ message: errorMessage(error) });
        return NEVER;
      }
    }),
  );
}

/** Keeps the given text, which a child process of this program receives. */
interface OriginalText {
  readonly text: string;
}

/** The flags of a single command, and whether a value follows each. */
export type CommandFlags = Readonly<Record<`--${string}`, "value" | "alone">>;

/** Returns the value of a setting given as a flag or a variable. Throws `wrong_setting`. */
export function parseSetting(setting: Setting<unknown>, flag?: string, variable?: string): unknown {
  const text = flag ?? (variable === "" ? undefined : variable) ?? setting.default;
  if (text === undefined) return undefined;
  const outcome = v.safeParse(setting.schema, text);
  if (outcome.success) return outcome.output;
  const source = flag === undefined ? setting.env : setting.flag;
  throw wrongSetting(`${source} ${outcome.issues[0].message}.`);
}

/**
 * Splits arguments into flags and the rest. `flagNames` says whether a value follows each flag. Throws `wrong_setting`.
 */
export function readFlags(
  args: readonly string[],
  flagNames: ReadonlyMap<string, "value" | "alone">,
) {
  const flags = new Map<string, string>();
  const rest: string[] = [];
  const left = [...args];
  for (let arg = left.shift(); arg !== undefined; arg = left.shift()) {
    const [flag = "", ...value] = arg.split("=");
    if (!flag.startsWith("--")) rest.push(arg);
    else if (!flagNames.has(flag)) throw createUnknownFlagRefusal(flag, [...flagNames.keys()]);
    else if (flagNames.get(flag) === "alone") {
      // `--flag=no` must not turn the flag on.
      if (value.length > 0)
        throw wrongSetting(`${flag} takes no value. Leave the flag out to turn it off.`);
      flags.set(flag, "");
    } else {
      const flagValue = value.length > 0 ? value.join("=") : left.shift();
      if (flagValue === undefined) throw wrongSetting(`${flag} needs a value after it.`);
      flags.set(flag, flagValue);
    }
  }
  return { flags, rest };
}

function createUnknownFlagRefusal(flag: string, flagNames: readonly string[]) {
  const suggestion = findClosestName(flag, flagNames);
  return wrongSetting(
    suggestion
      ? `Unknown setting ${flag}. Did you mean ${suggestion}?`
      : `Unknown setting ${flag}. Run "limelight help".`,
  );
}

/** Returns the name that was probably intended. A short name with a missing letter isn't matched: MAIL isn't EMAIL. */
export function findClosestName(typed: string, names: readonly string[]): string | undefined {
  const near = names.flatMap((name) => {
    const letters = editDistance(typed, name);
    const isOther = name.length < 6 && typed.length < name.length;
    return !isOther && letters <= (name.length < 10 ? 1 : 2) ? [{ name, letters }] : [];
  });
  return near.toSorted((one, other) => one.letters - other.letters)[0]?.name;
}

/** The cost in a row of the distance table; infinite outside the row. */
const pathCostAt = (row: readonly number[], at: number) => row[at] ?? Number.POSITIVE_INFINITY;

/**
 * The Levenshtein distance of two short texts, where swapping two adjacent letters counts as one change. Distances
 * above two are reported as infinite, so that the search can end early.
 */
function editDistance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return Number.POSITIVE_INFINITY;
  let before: readonly number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (const [to, its] of [...other].entries()) {
      const isSwapped = letter === other[to - 1] && its === one[at - 1];
      next.push(
        Math.min(
          pathCostAt(row, to + 1) + 1,
          pathCostAt(next, to) + 1,
          pathCostAt(row, to) + Number(letter !== its),
          isSwapped ? pathCostAt(before, to - 1) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    before = row;
    row = next;
    if (Math.min(...row) > 2) return Number.POSITIVE_INFINITY;
  }
  return pathCostAt(row, other.length);
}
