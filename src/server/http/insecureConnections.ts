/** Refuses logins over plain HTTP at a public address, so that no password crosses the internet unencrypted. */
import { parseUrl } from "../../schema/core/boundedUnicode.ts";
import type { Config } from "../shared/config.ts";
import { insecureConnection } from "../shared/errors.ts";
import { stripRootDot } from "../shared/settingTypes.ts";
import { isPrivateAddress, type GetSocketAddress } from "./visitor.ts";

interface InsecureLoginOptions {
  readonly siteUrl: string | undefined;
  /** True if PLAIN_LOGIN=on allows logins over plain HTTP. */
  readonly isInsecureLoginPermitted: boolean;
  /** Whether a socket's address is that of a configured proxy, whose X-Forwarded-Proto is trusted. */
  readonly isProxy: (socketAddress: string) => boolean;
  readonly getSocketAddress: GetSocketAddress;
}

/** Throws a 403 for a request that would carry a password over an insecure connection. */
export type InsecureLoginCheck = (request: Request, path: string) => void;

/** Creates the check. It allows plain HTTP if the site's host is this machine or in a private network. */
export function createInsecureLoginCheck(options: InsecureLoginOptions): InsecureLoginCheck {
  const { siteUrl, isInsecureLoginPermitted, isProxy, getSocketAddress } = options;
  if (isInsecureLoginPermitted || siteUrl?.startsWith("https:")) return () => {};
  const siteHost = siteUrl && new URL(siteUrl).hostname;
  return (request, path) => {
    if (!PASSWORD_PATHS_PATTERN.test(path)) return;
    const { headers } = request;
    if (isPrivateHost(siteHost ?? parseHostname(headers.get("host")))) return;
    // A proxy on this machine or network is trusted without being configured.
    const socketAddress = getSocketAddress(request);
    if (isForwardedHttps(headers) && (isPrivateAddress(socketAddress) || isProxy(socketAddress)))
      return;
    throw insecureConnection();
  };
}

/** Whether the first proxy reports that the browser used HTTPS. Further proxies may append their own scheme. */
export function isForwardedHttps(headers: Headers): boolean {
  const [scheme] = headers.get("x-forwarded-proto")?.split(",") ?? [];
  return scheme?.trim().toLowerCase() === "https";
}

/** The routes that log somebody in or lead to a login; `tests/server/routes.test.ts` checks all public routes. */
const PASSWORD_PATHS_PATTERN = /^\/api\/(?:auth|setup|join)(?:\/|$)/;

/** Whether a URL is public and its connection unencrypted. */
export const isPublicHttp = (url: string) =>
  url.startsWith("http:") && !isPrivateHost(new URL(url).hostname);

/** Returns the names of the settings whose connections cross the internet unencrypted. */
export function findUnencryptedSettings({
  databaseUrl,
  uploadsS3,
  backupS3,
  clamd,
}: ConnectionSettings): string[] {
  const databaseAddress = databaseUrl && new URL(databaseUrl.url);
  const isDatabaseExposed =
    databaseAddress &&
    !databaseAddress.searchParams.get("host")?.startsWith("/") &&
    !ENCRYPTED_MODE_PATTERN.test(databaseAddress.searchParams.get("sslmode") ?? "") &&
    !isPrivateHost(databaseAddress.hostname);
  const exposedBuckets = Object.entries({ UPLOADS_S3: uploadsS3, BACKUP_S3: backupS3 })
    .filter(([, location]) => location?.endpoint && isPublicHttp(location.endpoint))
    .map(([setting]) => setting);
  const isScannerExposed =
    clamd && "host" in clamd.connectOptions && !isPrivateHost(clamd.connectOptions.host);
  return [
    ...(isDatabaseExposed ? ["DATABASE_URL"] : []),
    ...exposedBuckets,
    ...(isScannerExposed ? ["CLAMD"] : []),
  ];
}

type ConnectionSettings = Pick<Config, "databaseUrl" | "uploadsS3" | "backupS3" | "clamd">;

/** The SSL modes that always encrypt. In the other modes, the connection may be unencrypted. */
const ENCRYPTED_MODE_PATTERN = /^(?:require|verify-ca|verify-full)$/;

/** Returns the hostname of a Host header, without its port; "" if the header is invalid. */
function parseHostname(host: string | null): string {
  return host === null ? "" : (parseUrl(`http://${host}`)?.hostname ?? "");
}

/** Matches names that no public server has (RFC 6761, RFC 6762, RFC 8375, and names that router makers invented). */
const LOCAL_NAME_PATTERN = /(?:^|\.)(?:localhost|local|internal|lan|home|home\.arpa|test)$/;

export function isPrivateHost(hostname: string): boolean {
  const name = stripRootDot(hostname.toLowerCase()).replace(/^\[|\]$/g, "");
  if (isPrivateAddress(name)) return true;
  const isName = !name.includes(":") && !/^[\d.]*$/.test(name);
  return isName && (!name.includes(".") || LOCAL_NAME_PATTERN.test(name));
}
