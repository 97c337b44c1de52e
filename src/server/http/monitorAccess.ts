/** Access to the site's internal state: a monitor with the token, and this machine. */
import { constantTimeEqual } from "../shared/constantTimeEqual.ts";
import { createAddressMatcher, type GetSocketAddress } from "./visitor.ts";

/** Whether the sender of a request may see it. */
export type CanMonitor = (request: Request) => boolean;

export const isLoopbackAddress = createAddressMatcher(["127.0.0.0/8", "::1"]);

/** Headers of a proxy: the connection is then this machine's own, but the request is somebody else's. */
const PROXY_HEADERS = ["x-forwarded-for", "x-forwarded-proto", "x-real-ip", "forwarded", "via"];

/** `token` is MONITOR_TOKEN; without it only this machine may. */
export function createMonitorAccess(
  token: string | undefined,
  socketOf: GetSocketAddress,
): CanMonitor {
  return (request) => {
    const { headers } = request;
    const bearerToken = /^Bearer (.+)$/.exec(headers.get("authorization") ?? "")?.[1];
    if (bearerToken !== undefined)
      return token !== undefined && constantTimeEqual(bearerToken, token);
    return isLoopbackAddress(socketOf(request)) && !PROXY_HEADERS.some((name) => headers.has(name));
  };
}
