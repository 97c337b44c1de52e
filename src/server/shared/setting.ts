/** The shape of a setting, and the types of values that settings take. */
import { isIP } from "node:net";
import * as v from "valibot";
import { emailSchema } from "../../schema/core/email.ts";
import { OFF } from "./dataKey.ts";
import { wrongSetting } from "./errors.ts";
import { errorMessage } from "./errorDetails.ts";

/** One setting. `schema` takes the text given and returns the value used. */
export interface Setting<T> {
  readonly flag: string;
  readonly env: string;
  /** As the documentation shows it; undefined for a setting without a default. */
  readonly default: string | undefined;
  readonly meaning: string;
  readonly schema: v.GenericSchema<string, T>;
  /** Never displayed. */
  readonly isSecret: boolean;
}

/** A setting by its variable, from which its flag's name follows. `fallback` is the default. */
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
  meaning,
  schema,
  isSecret: secret !== undefined,
});

export const text = v.pipe(v.string(), v.trim(), v.nonEmpty("must not be empty"));

export const emailAddress = v.pipe(
  text,
  v.check((address) => v.is(emailSchema, address), "must be an address such as name@example.com"),
);

/** Must be unguessable. */
export const token = v.pipe(
  text,
  v.regex(
    /^[\w.~+/=-]{16,200}$/,
    "must have at least 16 characters: letters, digits or . _ ~ + / = -",
  ),
);

export const numberBetween = (low: number, high: number) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,6}$/, `must be a whole number from ${low} to ${high}`),
    v.transform(Number),
    v.minValue(low, `must be a whole number from ${low} to ${high}`),
    v.maxValue(high, `must be a whole number from ${low} to ${high}`),
  );

const NO_ORIGIN = "must be an address such as https://example.com, without a path";
export const origin = v.pipe(
  text,
  v.check(isOrigin, NO_ORIGIN),
  v.transform((address) => new URL(address).origin),
);

function isOrigin(address: string): boolean {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return false;
  const { pathname, search, hash, username } = new URL(address);
  return pathname === "/" && search === "" && hash === "" && username === "";
}

export const proxies = v.pipe(
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

export const onOff = v.pipe(
  v.picklist(["on", "off"], "must be on or off"),
  v.transform((word) => word === "on"),
) as v.GenericSchema<string, boolean>;

/** Divisors of 24, so that backups run at the same hours every day. */
const EVERY = [1, 2, 3, 4, 6, 8, 12, 24];
export const hoursOrOff = v.pipe(
  v.string(),
  v.check(
    (text) => text === "off" || EVERY.some((hours) => String(hours) === text),
    `must be ${EVERY.join(", ")} or off`,
  ),
  v.transform((text) => (text === "off" ? null : Number(text))),
);

export const threeNumbers = v.pipe(
  v.string(),
  v.regex(/^\d{1,3},\d{1,3},\d{1,3}$/, "must be three numbers such as 7,4,12"),
  v.transform((text) => text.split(",").map(Number) as [number, number, number]),
);

export const recipients = v.pipe(
  v.string(),
  v.transform((list) => list.split(/[\s,]+/).filter((entry) => entry !== "")),
  v.check(
    (list) => list.length > 0 && list.every((entry) => /^age1[a-z0-9]+$/.test(entry)),
    "must be a public key, which begins with age1",
  ),
);

const NO_DATA_KEY =
  'must be 32 random bytes in base64, as from "openssl rand -base64 32"; to rotate it, the new key, a comma and the old one';

/** The first key seals, the others open; "off, key" removes the seals. */
export const dataKeys = v.pipe(
  v.string(),
  v.transform((list) => list.split(/[\s,]+/).filter((entry) => entry !== "")),
  v.check(
    (list) =>
      list.length > 0 && list.every((entry, at) => isDataKey(entry) || (entry === OFF && at === 0)),
    NO_DATA_KEY,
  ),
);

const isDataKey = (entry: string) =>
  /^[A-Za-z\d+/]{43}=?$/.test(entry) && Buffer.from(entry, "base64").length === 32;

const NO_DOMAIN = "must be names such as example.com, separated by commas";

/** The site's names, without duplicates; no IP addresses, for which there are no certificates. */
export const domains = v.pipe(
  v.string(),
  v.transform((list) => [...new Set(list.toLowerCase().split(/[\s,]+/))].filter(Boolean)),
  v.check((list) => list.length > 0 && list.every(isDomain), NO_DOMAIN),
);

const LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/;

function isDomain(name: string): boolean {
  const labels = name.split(".");
  const isName = labels.length > 1 && labels.every((label) => LABEL.test(label));
  return isName && name.length <= 253 && isIP(name) === 0;
}

/** A service's address, with https because requests to it must not be read in transit. */
export const httpsAddress = v.pipe(
  text,
  v.check(
    (address) => /^https:\/\//i.test(address) && URL.canParse(address),
    "must be an address that starts with https://",
  ),
);
/** A value read by `parse`, whose Error message continues the setting's name. */
export function parsedBy<T extends object>(
  parse: (text: string) => T,
): v.GenericSchema<string, T & Typed> {
  return v.pipe(
    text,
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

/** The text as given, for a child process of this program. */
interface Typed {
  readonly text: string;
}

/** A command's own flags: whether a value follows each. */
export type CommandFlags = Readonly<Record<`--${string}`, "value" | "alone">>;

/** A setting's value, given as a flag or a variable. Throws `wrong_setting`. */
export function valueOf(setting: Setting<unknown>, flag?: string, variable?: string): unknown {
  const text = flag ?? (variable === "" ? undefined : variable) ?? setting.default;
  if (text === undefined) return undefined;
  const outcome = v.safeParse(setting.schema, text);
  if (outcome.success) return outcome.output;
  const source = flag === undefined ? setting.env : setting.flag;
  throw wrongSetting(`${source} ${outcome.issues[0].message}.`);
}

/** Splits arguments into flags and the rest. `known`: whether a value follows each. Throws `wrong_setting`. */
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
    else if (!flagNames.has(flag)) throw noSuchFlag(flag, [...flagNames.keys()]);
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

function noSuchFlag(flag: string, flagNames: readonly string[]) {
  const suggestion = closestName(flag, flagNames);
  return wrongSetting(
    suggestion
      ? `Unknown setting ${flag}. Did you mean ${suggestion}?`
      : `Unknown setting ${flag}. Run "limelight help".`,
  );
}

/** The name that was probably intended. Short names aren't matched with a letter missing: MAIL isn't EMAIL. */
export function closestName(typed: string, names: readonly string[]): string | undefined {
  const near = names.flatMap((name) => {
    const letters = distance(typed, name);
    const isOther = name.length < 6 && typed.length < name.length;
    return !isOther && letters <= (name.length < 10 ? 1 : 2) ? [{ name, letters }] : [];
  });
  return near.toSorted((one, other) => one.letters - other.letters)[0]?.name;
}

/** Cells outside the row can't be on a path. */
const stepsAt = (row: readonly number[], at: number) => row[at] ?? Number.POSITIVE_INFINITY;

/**
 * The Levenshtein distance of two short texts, where two letters that changed places count as one; more than two counts
 * as infinite, and is seen early.
 */
function distance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return Number.POSITIVE_INFINITY;
  let before: readonly number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (const [to, its] of [...other].entries()) {
      const isSwapped = letter === other[to - 1] && its === one[at - 1];
      next.push(
        Math.min(
          stepsAt(row, to + 1) + 1,
          stepsAt(next, to) + 1,
          stepsAt(row, to) + Number(letter !== its),
          isSwapped ? stepsAt(before, to - 1) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    before = row;
    row = next;
    if (Math.min(...row) > 2) return Number.POSITIVE_INFINITY;
  }
  return stepsAt(row, other.length);
}
