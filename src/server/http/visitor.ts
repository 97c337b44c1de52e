/** Who is calling, as far as the site may know: the address behind trusted proxies, the browser. */
import { Elysia } from "elysia";
import { BlockList, isIP } from "node:net";
import { harmless } from "../../schema/harmless.ts";

export interface Visitor {
  /** The socket's address, or the one a trusted proxy names. */
  readonly address: string;
  readonly userAgent: string | null;
}

/** Tells who sent a request; the address is "unknown" where there is no socket. */
export interface WhoCalls {
  (request: Request): Visitor;
  /** The address alone. */
  readonly addressOf: (request: Request) => string;
}

/** What of Bun's server is needed to know a socket's address. */
interface SocketAddresses {
  requestIP(request: Request): { address: string } | null;
}

const MAX_USER_AGENT = 400;

/** Returns the address at the other end of a request's socket; "unknown" where there is no socket. */
export type SocketAddress = (request: Request) => string;

/** `server` returns the listening server, once there is one. */
export function socketAddress(server: () => SocketAddresses | null | undefined): SocketAddress {
  return (request) => plainAddress(server()?.requestIP(request)?.address ?? "unknown");
}

/** Tells who calls by the socket, and behind a believed proxy by what that says of its own caller. */
export function whoCalls(socketOf: SocketAddress, clientOf: ClientAddress): WhoCalls {
  const addressOf = (request: Request) =>
    clientOf(socketOf(request), request.headers.get("x-forwarded-for"));
  const who = (request: Request) => ({
    address: addressOf(request),
    userAgent: userAgentOf(request.headers),
  });
  return Object.assign(who, { addressOf });
}

function userAgentOf(headers: Headers): string | null {
  const sent = headers.get("user-agent");
  return sent === null ? null : harmless(sent.slice(0, MAX_USER_AGENT));
}

/** A plugin whose users' handlers get `visitor`. */
export function visitorPlugin(who: WhoCalls) {
  return new Elysia({ name: "visitor" }).derive({ as: "scoped" }, ({ request }) => ({
    visitor: who(request),
  }));
}

export type VisitorPlugin = ReturnType<typeof visitorPlugin>;

/** Returns the address of a request's sender. */
type ClientAddress = (socketAddress: string, forwardedFor: string | null) => string;

/**
 * X-Forwarded-For is believed only from the proxies that `isProxy` knows, and read from its right end up
 * to the first address that is none of them. `unbelieved` is told of others that send it.
 */
export function clientAddress(
  isProxy: (address: string) => boolean,
  unbelieved: (socket: string) => void = () => {},
): ClientAddress {
  return (socketAddress, forwardedFor) => {
    let address = plainAddress(socketAddress);
    if (forwardedFor !== null && !isProxy(address)) unbelieved(address);
    const hops = forwardedFor?.split(",").map((hop) => plainAddress(hop.trim())) ?? [];
    for (let hop = hops.pop(); hop !== undefined && isProxy(address); hop = hops.pop()) {
      if (isIP(hop) === 0) break;
      address = hop;
    }
    return address;
  };
}

/** An IPv4 address that a dual-stack socket shows as IPv6 is an IPv4 address. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");
}

function blockList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = "", bits] = entry.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** Whether an address is one of these, which are addresses, or networks such as 10.0.0.0/8. */
export function isAmong(entries: readonly string[]): (address: string) => boolean {
  const list = blockList(entries);
  return (address) => {
    const kind = isIP(address);
    return kind !== 0 && list.check(address, kind === 6 ? "ipv6" : "ipv4");
  };
}

/** This machine, and networks that are reached from inside only; 100.64.0.0/10 is carriers' and Tailscale's. */
export const isPrivateAddress = isAmong([
  "0.0.0.0",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "::",
  "::1",
  "fc00::/7",
  "fe80::/10",
]);

/** What limits count by: the address, or the /64 network of an IPv6 one. */
export const limitKey = (address: string): string => networksOf(address)[0];

/** The networks that an address lies in, narrow to wide: itself and its /24, or its /64, /56 and /48. */
export function networksOf(address: string): [string, ...string[]] {
  const family = isIP(address);
  if (family === 0) return [address];
  if (family === 4) return [address, `${address.slice(0, address.lastIndexOf("."))}.0/24`];
  const [a, b, c, d] = groupsOf(address);
  const wide = `${a.toString(16)}:${b.toString(16)}:${c.toString(16)}`;
  return [
    `${wide}:${d.toString(16)}::/64`,
    `${wide}:${(d & 0xff00).toString(16)}::/56`,
    `${wide}::/48`,
  ];
}

/** The widest of them. */
export function widestNetworkOf(address: string): string {
  const [narrowest, ...wider] = networksOf(address);
  return wider.at(-1) ?? narrowest;
}

/** The first four of the eight numbers of an IPv6 address. */
function groupsOf(address: string): [number, number, number, number] {
  const [head = "", tail] = address.replace(/%.*$/s, "").split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(Math.max(0, zeros)).fill("0"), ...right];
  const groupAt = (at: number) => Number.parseInt(groups[at] ?? "0", 16);
  return [groupAt(0), groupAt(1), groupAt(2), groupAt(3)];
}

/** An address as people are shown it, of which no line can be told from its neighbors: 203.0.x.x */
export function shortAddress(address: string): string {
  const family = isIP(address);
  if (family === 4) return `${address.split(".").slice(0, 2).join(".")}.x.x`;
  if (family === 0) return address;
  const [a, b] = groupsOf(address);
  return `${a.toString(16)}:${b.toString(16)}:x`;
}

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg/, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox|FxiOS/, "Firefox"],
  [/Chrom|CriOS/, "Chrome"],
  [/Safari/, "Safari"],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/CrOS/, "Chromebook"],
  [/Mac OS/, "Mac"],
  [/Linux/, "Linux"],
];

/** What people call the browser that a User-Agent names: "Chrome on Mac". */
export function browserOf(userAgent: string | null): string {
  const find = (names: typeof BROWSERS) =>
    names.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1];
  const system = find(SYSTEMS);
  return `${find(BROWSERS) ?? "Unknown browser"}${system ? ` on ${system}` : ""}`;
}
