/** Identifies the sender of a request by the address behind trusted proxies, and by the browser. */
import { Elysia } from "elysia";
import { BlockList, isIP } from "node:net";
import { removeInvisible } from "../../schema/core/invisibleCharacters.ts";
import type { Notice } from "../shared/notice.ts";

export interface Visitor {
  /** The socket's address, or the address that a trusted proxy names. */
  readonly address: string;
  readonly userAgent: string | null;
}

/** Identifies the sender of a request; the address is "unknown" where there is no socket. */
export interface IdentifyVisitor {
  (request: Request): Visitor;
  readonly getAddress: (request: Request) => string;
}

/** The part of Bun's server that returns a socket's address. */
interface SocketAddresses {
  requestIP(request: Request): { address: string } | null;
}

const MAX_USER_AGENT_LENGTH = 400;

/** Returns the address at the other end of a request's socket; "unknown" where there is no socket. */
export type GetSocketAddress = (request: Request) => string;

/** Creates a lookup of socket addresses. `getServer` returns the listening server, or nothing before it listens. */
export function createSocketAddressLookup(
  getServer: () => SocketAddresses | null | undefined,
): GetSocketAddress {
  return (request) => unwrapIpv4(getServer()?.requestIP(request)?.address ?? "unknown");
}

/** Creates a lookup of the sender: by the socket or, behind a trusted proxy, by its X-Forwarded-For. */
export function createVisitorLookup(
  getSocketAddress: GetSocketAddress,
  getClientAddress: GetClientAddress,
): IdentifyVisitor {
  const getAddress = (request: Request) =>
    getClientAddress(getSocketAddress(request), request.headers.get("x-forwarded-for"));
  const identifyVisitor = (request: Request) => ({
    address: getAddress(request),
    userAgent: readUserAgent(request.headers),
  });
  return Object.assign(identifyVisitor, { getAddress });
}

function readUserAgent(headers: Headers): string | null {
  const userAgent = headers.get("user-agent");
  return userAgent === null ? null : removeInvisible(userAgent.slice(0, MAX_USER_AGENT_LENGTH));
}

/** Creates an Elysia plugin that adds `visitor` to the context of handlers. */
export function createVisitorPlugin(identifyVisitor: IdentifyVisitor) {
  return new Elysia({ name: "visitor" }).derive({ as: "scoped" }, ({ request }) => ({
    visitor: identifyVisitor(request),
  }));
}

export type VisitorPlugin = ReturnType<typeof createVisitorPlugin>;

type GetClientAddress = (socketAddress: string, forwardedFor: string | null) => string;

/**
 * Trusts X-Forwarded-For only from addresses that `isProxy` accepts, and reads it from the right up to the first
 * address that isn't a proxy. Calls `reportUntrusted` with any other address that sends the header.
 */
export function createClientAddressLookup(
  isProxy: (address: string) => boolean,
  reportUntrusted: (socketAddress: string) => void = () => {},
): GetClientAddress {
  return (socketAddress, forwardedFor) => {
    let address = unwrapIpv4(socketAddress);
    if (forwardedFor !== null && !isProxy(address)) reportUntrusted(address);
    let remainingHops = forwardedFor ?? "";
    while (remainingHops !== "" && isProxy(address)) {
      const comma = remainingHops.lastIndexOf(",");
      const hop = unwrapIpv4(removePort(remainingHops.slice(comma + 1).trim()));
      if (isIP(hop) === 0) break;
      address = hop;
      remainingHops = remainingHops.slice(0, Math.max(0, comma));
    }
    return address;
  };
}

/** Removes the port, which some proxies add: 203.0.113.7:5000 or [2001:db8::7]:5000. */
const removePort = (hop: string) => hop.replace(/^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/, "$1$2");

/** Returns the IPv4 address that a dual-stack socket reports as IPv6 (::ffff:192.0.2.1); other addresses unchanged. */
export function unwrapIpv4(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");
}

/** Returns a function that checks whether an address is in a list of addresses and networks, such as 10.0.0.0/8. */
export function createAddressMatcher(
  addressRanges: readonly string[],
): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of addressRanges) {
    const [address = "", bits] = entry.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => {
    const family = isIP(address);
    return family !== 0 && list.check(address, family === 6 ? "ipv6" : "ipv4");
  };
}

/** Whether an address is on this machine or in a private network. Carriers and Tailscale use 100.64.0.0/10. */
export const isPrivateAddress = createAddressMatcher([
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

/** Returns the key of an address for rate limits: the IPv4 address, or the /64 of an IPv6 address. */
export const createRateLimitKey = (address: string): string => findEnclosingNetworks(address)[0];

/**
 * Returns the networks around an address, narrowest first: for IPv4 the address and its /24, for IPv6 /64, /56 and /48.
 */
export function findEnclosingNetworks(address: string): [string, ...string[]] {
  const family = isIP(address);
  if (family === 0) return [address];
  if (family === 4) return [address, `${address.slice(0, address.lastIndexOf("."))}.0/24`];
  const [a, b, c, d] = splitIpv6Groups(address);
  const widePrefix = `${a.toString(16)}:${b.toString(16)}:${c.toString(16)}`;
  return [
    `${widePrefix}:${d.toString(16)}::/64`,
    `${widePrefix}:${(d & 0xff00).toString(16)}::/56`,
    `${widePrefix}::/48`,
  ];
}

/** Returns the widest network of `findEnclosingNetworks`. */
export function findWidestNetwork(address: string): string {
  const [narrowest, ...wider] = findEnclosingNetworks(address);
  return wider.at(-1) ?? narrowest;
}

/** Returns the first four groups of an IPv6 address. */
function splitIpv6Groups(address: string): [number, number, number, number] {
  const [head = "", tail] = address.replace(/%.*$/s, "").split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(Math.max(0, zeros)).fill("0"), ...right];
  const readGroup = (index: number) => Number.parseInt(groups[index] ?? "0", 16);
  return [readGroup(0), readGroup(1), readGroup(2), readGroup(3)];
}

/** Shortens an address for display, so that it doesn't identify somebody: 203.0.x.x */
export function maskAddress(address: string): string {
  const family = isIP(address);
  if (family === 4) return `${address.split(".").slice(0, 2).join(".")}.x.x`;
  if (family === 0) return address;
  const [a, b] = splitIpv6Groups(address);
  return `${a.toString(16)}:${b.toString(16)}:x`;
}

const BROWSER_PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/Edg/, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox|FxiOS/, "Firefox"],
  [/Chrom|CriOS/, "Chrome"],
  [/Safari/, "Safari"],
];

const SYSTEM_PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/CrOS/, "Chromebook"],
  [/Mac OS/, "Mac"],
  [/Linux/, "Linux"],
];

/** Describes a User-Agent in words: "Chrome on Mac". */
export function describeBrowser(userAgent: string | null): string {
  const findName = (names: typeof BROWSER_PATTERNS) =>
    names.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1];
  const system = findName(SYSTEM_PATTERNS);
  return `${findName(BROWSER_PATTERNS) ?? "Unknown browser"}${system ? ` on ${system}` : ""}`;
}

/**
 * Detects a proxy in front of the site that TRUSTED_PROXIES doesn't name. Behind such a proxy all visitors share one
 * address. Anybody can send X-Forwarded-For, so only an address on this machine or network counts as a proxy.
 */
export function createUntrustedProxyCheck() {
  let proxyAddress: string | undefined;
  return {
    /** Call this with the address of each socket whose X-Forwarded-For was ignored. */
    reportUntrusted(socketAddress: string) {
      if (proxyAddress === undefined && isPrivateAddress(socketAddress))
        proxyAddress = socketAddress;
    },
    findNotices: (): Notice[] =>
      proxyAddress === undefined
        ? []
        : [{ code: "forgotten_proxy", message: createProxyMessage(proxyAddress) }],
  };
}

const createProxyMessage = (address: string) =>
  `Requests arrive through a proxy at ${address}. Everyone behind that proxy shares one rate limit, so one visitor can use it up for all. If the proxy is yours, set TRUSTED_PROXIES=${address} and restart Limelight.`;
