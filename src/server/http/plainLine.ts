/** Keeps passwords off the open internet: over plain HTTP nobody logs in at a public address. */
import type { Config } from "../shared/config.ts";
import { insecure } from "../shared/errors.ts";
import { isPrivateAddress, type SocketAddress } from "./visitor.ts";

interface PlainLineOptions {
  readonly siteUrl: string | undefined;
  /** PLAIN_LOGIN=on. */
  readonly allowed: boolean;
  /** Whether what the socket at this address says of the line before it is believed. */
  readonly isProxy: (socket: string) => boolean;
  readonly socketOf: SocketAddress;
}

/** Throws a 403 for a call that passwords travel in, when it comes on such a line. */
export type PlainLineCheck = (request: Request, path: string) => void;

/** The address that the browser was given decides: this machine and private networks are fine. */
export function plainLineCheck(options: PlainLineOptions): PlainLineCheck {
  const { siteUrl, allowed, isProxy, socketOf } = options;
  if (allowed || siteUrl?.startsWith("https:")) return () => {};
  const own = siteUrl && new URL(siteUrl).hostname;
  return (request, path) => {
    if (!WITH_PASSWORDS.test(path)) return;
    const { headers } = request;
    if (isPrivateHost(own ?? hostnameOf(headers.get("host")))) return;
    // A proxy that ends TLS says so; one on the same machine or network needn't be named for that.
    const [scheme] = headers.get("x-forwarded-proto")?.split(",") ?? [];
    const isHttps = scheme?.trim() === "https";
    const socket = socketOf(request);
    if (isHttps && (isPrivateAddress(socket) || isProxy(socket))) return;
    throw insecure();
  };
}

/** All that logs somebody in, or leads there; `tests/server/routes.test.ts` walks every public call. */
const WITH_PASSWORDS = /^\/api\/(?:auth|setup|join)(?:\/|$)/;

/** Whether nobody can log in at a public address of the site, as it has no encryption. */
export const isPlainAndPublic = (siteUrl: string) =>
  siteUrl.startsWith("http:") && !isPrivateHost(new URL(siteUrl).hostname);

/** Settings whose lines lead over the internet and can be read on the way. */
export function readableLines({ databaseUrl, uploadsS3, backupS3 }: Lines): string[] {
  const database = databaseUrl && new URL(databaseUrl.url);
  const isOpen =
    database &&
    !database.searchParams.get("host")?.startsWith("/") &&
    !ENCRYPTED.test(database.searchParams.get("sslmode") ?? "") &&
    !isPrivateHost(database.hostname);
  const stores = Object.entries({ UPLOADS_S3: uploadsS3, BACKUP_S3: backupS3 })
    .filter(([, location]) => location?.endpoint && isPlainAndPublic(location.endpoint))
    .map(([setting]) => setting);
  return [...(isOpen ? ["DATABASE_URL"] : []), ...stores];
}

type Lines = Pick<Config, "databaseUrl" | "uploadsS3" | "backupS3">;

/** The others go on in the clear where the server asks them to. */
const ENCRYPTED = /^(?:require|verify-ca|verify-full)$/;

/** A Host header is a name or an address, and perhaps a port. */
function hostnameOf(host: string | null): string {
  const address = `http://${host}`;
  return host !== null && URL.canParse(address) ? new URL(address).hostname : "";
}

/** Names that no public server has (RFC 6761, RFC 6762, RFC 8375, and what routers make up). */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|lan|home|home\.arpa|test)$/;

/** Whether a host is this machine, or one of a private network. */
export function isPrivateHost(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/^\[|\]$|\.$/g, "");
  if (isPrivateAddress(name)) return true;
  const isName = !name.includes(":") && !/^[\d.]*$/.test(name);
  return isName && (!name.includes(".") || LOCAL_NAME.test(name));
}
