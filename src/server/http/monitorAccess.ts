/** Decides who may see the site's internal state: a monitoring tool with the token, and this machine. */
import { constantTimeEqual } from "../shared/secrets.ts";
import { createAddressMatcher, type GetSocketAddress } from "./visitor.ts";

export type CanMonitor = (request: Request) => boolean;

export const isLoopbackAddress = createAddressMatcher(["127.0.0.0/8", "::1"]);

/** Headers that proxies add. A request with one of them is from another machine, even if the proxy is local. */
const PROXY_HEADERS = ["x-forwarded-for", "x-forwarded-proto", "x-real-ip", "forwarded", "via"];

/** Creates the check. `token` is MONITOR_TOKEN; without it, only this machine has access. */
export function createMonitorAccess(
  token: string | undefined,
  getSocketAddress: GetSocketAddress,
): CanMonitor {
  return (request) => {
    const { headers } = request;
    const bearerToken = /^Bearer (.+)$/.exec(headers.get("authorization") ?? "")?.[1];
    if (bearerToken !== undefined)
      return token !== undefined && constantTimeEqual(bearerToken, token);
    return (
      isLoopbackAddress(getSocketAddress(request)) &&
      !PROXY_HEADERS.some((name) => headers.has(name))
    );
  };
}
