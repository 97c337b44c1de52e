/** Where a site's database is, as `DATABASE_URL` gives it. */
import { accessSync, constants } from "node:fs";
import { isThisMachine } from "./mailUrl.ts";

export interface DatabaseAddress {
  /** For the client. */
  readonly url: string;
  /** The schema that holds the site's tables. */
  readonly schema: string;
  /** For messages: without name and password. */
  readonly location: string;
}

/** Where the site's tables are when the address doesn't say. */
const SCHEMA = "limelight";

const SHAPE = "must be an address such as postgres://user:password@db.example.com:5432/limelight";

/** What proves who the site is, and who the database is. */
const FILES = ["sslcert", "sslkey", "sslrootcert"];

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** Throws an Error with words for a setting (after "DATABASE_URL "). */
export function parseDatabaseUrl(text: string): DatabaseAddress {
  const address = URL.canParse(text) ? new URL(text) : undefined;
  const isOurs = address && ["postgres:", "postgresql:"].includes(address.protocol);
  if (!isOurs || address.hostname === "" || address.pathname.length < 2) throw new Error(SHAPE);
  for (const name of FILES) {
    const file = address.searchParams.get(name);
    if (file !== null && !isReadable(file))
      throw new Error(`names a file as ${name} that can't be read`);
  }
  const schema = address.searchParams.get("schema") ?? SCHEMA;
  if (!/^[a-z][a-z0-9_]{0,30}$/.test(schema))
    throw new Error("may name a schema of up to 31 small letters, digits and _");
  address.searchParams.delete("schema");
  const location = `${address.host}${address.pathname}${schema === SCHEMA ? "" : ` (${schema})`}`;
  return { url: address.href, schema, location };
}

/** Whether it is on another machine than the site. */
export function isElsewhere({ url }: Pick<DatabaseAddress, "url">): boolean {
  const { hostname, searchParams } = new URL(url);
  const isSocket = searchParams.get("host")?.startsWith("/") ?? false;
  return !isSocket && !isThisMachine(hostname.replace(/^\[|\]$/g, ""));
}
