/** Parses DATABASE_URL, the address of a PostgreSQL database. */
import { accessSync, constants } from "node:fs";
import { userInfo } from "node:os";
import { decodePart, isLocalHost, UNESCAPED_SEPARATOR_MESSAGE } from "./mailUrl.ts";

export interface DatabaseAddress {
  /** The address in the form that the database client expects. */
  readonly url: string;
  /** The database schema that contains the site's tables. */
  readonly schema: string;
  /** The address without user and password, for messages. */
  readonly location: string;
}

const DEFAULT_SCHEMA = "limelight";

const DATABASE_URL_RULE =
  "must be an address such as postgres://user:password@db.example.com:5432/limelight";

const NO_USER_MESSAGE =
  "has no user: it belongs before the host, as in postgres://user:password@db.example.com:5432/limelight";

/** Matches an address with an unescaped separator in its user or password. An @ in the parameters is allowed. */
const MISPLACED_SEPARATOR_PATTERN = /^[^:]{1,20}:\/\/[^#/?@]*[#/?].*@/s;

/** The parameters whose values are names of certificate and key files. */
const SSL_FILE_PARAMETERS = ["sslcert", "sslkey", "sslrootcert"];

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** Matches the beginning of an address without a host, up to the position of the missing host. */
const MISSING_HOST_PATTERN = /^(postgres(?:ql)?:\/\/(?:[^/?#@]*@)?)(?=\/)/i;

const SSL_MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"];
/** The modes for the values of the parameter `ssl`, which many programs use instead of `sslmode`. */
const SSL_MODE_BY_ALIAS: Readonly<Record<string, string>> = {
  true: "require",
  1: "require",
  false: "disable",
  0: "disable",
};

/** Converts `ssl` to `sslmode`, because the database client ignores `ssl`. Throws for an invalid mode. */
function normalizeSslMode({ searchParams }: URL): void {
  const ssl = searchParams.get("ssl")?.toLowerCase() ?? "";
  const sslMode = Object.hasOwn(SSL_MODE_BY_ALIAS, ssl) ? SSL_MODE_BY_ALIAS[ssl] : ssl;
  const mode = (searchParams.get("sslmode") || sslMode || "").toLowerCase();
  searchParams.delete("ssl");
  searchParams.delete("sslmode");
  if (mode === "") return;
  if (!SSL_MODES.includes(mode))
    throw new Error(`has an invalid sslmode: it can be ${SSL_MODES.join(", ")}`);
  searchParams.set("sslmode", mode);
}

/** Parses DATABASE_URL. Throws an Error whose message follows the setting's name. */
export function parseDatabaseUrl(text: string): DatabaseAddress {
  if (MISPLACED_SEPARATOR_PATTERN.test(text)) throw new Error(UNESCAPED_SEPARATOR_MESSAGE);
  // Adds a host for `URL`. An address with a socket has none: postgres:///limelight?host=/run/postgresql
  const textWithHost = text.replace(MISSING_HOST_PATTERN, "$1localhost");
  const address = URL.parse(textWithHost);
  const isPostgres = address && ["postgres:", "postgresql:"].includes(address.protocol);
  const hasHost = address?.hostname && (textWithHost === text || isSocket(address));
  const isComplete = isPostgres && hasHost && address.pathname.length > 1;
  if (!isComplete) throw new Error(DATABASE_URL_RULE);
  const { username, password, pathname } = address;
  // Throws if a part has invalid percent-encoding, which the database client couldn't decode.
  for (const part of [username, password, pathname]) decodePart(part);
  normalizeSslMode(address);
  for (const name of SSL_FILE_PARAMETERS) {
    const file = address.searchParams.get(name);
    if (file !== null && !isReadable(file))
      throw new Error(`has a ${name} file that can't be read`);
  }
  const schema = address.searchParams.get("schema") ?? DEFAULT_SCHEMA;
  if (!/^[a-z][a-z0-9_]{0,30}$/.test(schema))
    throw new Error(
      "has an invalid schema: its name needs 1 to 31 lowercase letters, digits or underscores, and must begin with a letter",
    );
  address.searchParams.delete("schema");
  if (!address.username) {
    if (!isSocket(address)) throw new Error(NO_USER_MESSAGE);
    address.username = userInfo().username;
  }
  const location = `${address.host}${address.pathname}${schema === DEFAULT_SCHEMA ? "" : ` (${schema})`}`;
  return { url: address.href, schema, location };
}

export function isRemoteDatabase({ url }: Pick<DatabaseAddress, "url">): boolean {
  const address = new URL(url);
  return !isSocket(address) && !isLocalHost(address.hostname.replace(/^\[|\]$/g, ""));
}

/** Whether the connection uses a Unix socket. The database then knows the system's user, so the URL needs no user. */
const isSocket = ({ searchParams }: URL) => searchParams.get("host")?.startsWith("/") ?? false;
