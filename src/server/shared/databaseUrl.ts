/** A site's database, as `DATABASE_URL` gives it. */
import { accessSync, constants } from "node:fs";
import { userInfo } from "node:os";
import { isThisMachine, SEPARATORS } from "./mailUrl.ts";

export interface DatabaseAddress {
  /** For the database client. */
  readonly url: string;
  /** The schema that holds the site's tables. */
  readonly schema: string;
  /** For messages: without user and password. */
  readonly location: string;
}

/** The schema when the address names none. */
const SCHEMA = "limelight";

const SHAPE = "must be an address such as postgres://user:password@db.example.com:5432/limelight";

const NO_USER =
  "has no user: it belongs before the host, as in postgres://user:password@db.example.com:5432/limelight";

/** A separator before the @ of the login; parameters may have an @ of their own. */
const MISREAD = /^[^:]{1,20}:\/\/[^#/?@]*[#/?].*@/s;

/** Certificates and key, of the site and of the database. */
const FILES = ["sslcert", "sslkey", "sslrootcert"];

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== "";
  } catch {
    return false;
  }
}

/** Throws an Error whose message continues "DATABASE_URL ". */
export function parseDatabaseUrl(text: string): DatabaseAddress {
  if (MISREAD.test(text)) throw new Error(SEPARATORS);
  const address = URL.canParse(text) ? new URL(text) : undefined;
  const isOurs = address && ["postgres:", "postgresql:"].includes(address.protocol);
  const isWhole = isOurs && address.hostname !== "" && address.pathname.length > 1;
  if (!isWhole || !isDecodable(address.pathname)) throw new Error(SHAPE);
  for (const name of FILES) {
    const file = address.searchParams.get(name);
    if (file !== null && !isReadable(file))
      throw new Error(`has a ${name} file that can't be read`);
  }
  const schema = address.searchParams.get("schema") ?? SCHEMA;
  if (!/^[a-z][a-z0-9_]{0,30}$/.test(schema))
    throw new Error(
      "has an invalid schema: its name needs 1 to 31 lowercase letters, digits or underscores, and must begin with a letter",
    );
  address.searchParams.delete("schema");
  if (!address.username) {
    if (!isSocket(address)) throw new Error(NO_USER);
    address.username = userInfo().username;
  }
  const location = `${address.host}${address.pathname}${schema === SCHEMA ? "" : ` (${schema})`}`;
  return { url: address.href, schema, location };
}

/** Whether the database is on another machine. */
export function isRemoteDatabase({ url }: Pick<DatabaseAddress, "url">): boolean {
  const address = new URL(url);
  return !isSocket(address) && !isThisMachine(address.hostname.replace(/^\[|\]$/g, ""));
}

/** The database identifies the system's user then. */
const isSocket = ({ searchParams }: URL) => searchParams.get("host")?.startsWith("/") ?? false;
