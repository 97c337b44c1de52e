/** Who may see the site's internal state: a monitor with the token, and this machine. */
import { isSameText } from "../shared/sameText.ts";
import { isAmong, type SocketAddress } from "./visitor.ts";

/** Whether the sender of a request may see it. */
export type MayWatch = (request: Request) => boolean;

export const isThisMachine = isAmong(["127.0.0.0/8", "::1"]);

/** Headers of a proxy: the connection is then this machine's own, but the request is somebody else's. */
const FORWARDED = ["x-forwarded-for", "x-forwarded-proto", "x-real-ip", "forwarded", "via"];

/** `token` is MONITOR_TOKEN; without it only this machine may. */
export function watchers(token: string | undefined, socketOf: SocketAddress): MayWatch {
  return (request) => {
    const { headers } = request;
    const given = /^Bearer (.+)$/.exec(headers.get("authorization") ?? "")?.[1];
    if (given !== undefined) return token !== undefined && isSameText(given, token);
    return isThisMachine(socketOf(request)) && !FORWARDED.some((name) => headers.has(name));
  };
}
