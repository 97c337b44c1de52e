/** Who may see what the site says of itself in detail: a monitor with the token, and this machine. */
import { isSameText } from "../shared/sameText.ts";
import { isAmong, type SocketAddress } from "./visitor.ts";

/** Whether the sender of a request may see it. */
export type MayWatch = (request: Request) => boolean;

const isThisMachine = isAmong(["127.0.0.0/8", "::1"]);

/** What a proxy in front adds: then it is the machine's own connection, and somebody else's request. */
const FORWARDED = ["x-forwarded-for", "x-forwarded-proto", "x-real-ip", "forwarded", "via"];

/** `token` is MONITOR_TOKEN; without one this machine alone may. */
export function watchers(token: string | undefined, socketOf: SocketAddress): MayWatch {
  return (request) => {
    const { headers } = request;
    const given = /^Bearer (.+)$/.exec(headers.get("authorization") ?? "")?.[1];
    if (given !== undefined) return token !== undefined && isSameText(given, token);
    return isThisMachine(socketOf(request)) && !FORWARDED.some((name) => headers.has(name));
  };
}
