/**
 * Bounds the connections of one address, and of all. Bun's server has no hook for connections, and one in
 * front of it would double what a request costs, so the sockets themselves are looked at twice a second:
 * those above a bound are shut down, which the server takes for visitors who have gone. By itself it
 * ends, after 12 seconds, what says nothing, never ends its headers or doesn't read.
 */
import { present } from "../../schema/present.ts";
import { readFileSync, statSync } from "node:fs";
import { type Peer, type Sockets, systemSockets } from "./systemSockets.ts";
import { networksOf } from "./visitor.ts";

interface ConnectionOptions {
  /** Where the server listens, now. */
  readonly ports: () => readonly number[];
  /** How many files and sockets this process can have open. */
  readonly descriptors: number;
  /** True for what many visitors come through, such as a proxy. */
  readonly isSpared: (address: string) => boolean;
  /** Default: the kernel's, by way of the C library. */
  readonly sockets?: Sockets;
}

interface Connection extends Peer {
  readonly descriptor: number;
  /** Grows with each connection that is seen for the first time. */
  readonly seen: number;
}

const EVERY = 500;

/** A page needs six; a hall full of phones behind one address needs some hundred. */
const FEWEST_PER_ADDRESS = 64;
const MOST_PER_ADDRESS = 1024;

/** What the networks around an address may have, in addresses. */
const ADDRESSES_PER_NETWORK = [1, 4, 8];

/** Kept free for the disk and for connections of the program's own: an eighth, but no more than this. */
const MOST_KEPT_FREE = 512;

/** Looks twice a second until `stop`; does nothing where the system has no such sockets. */
export function boundConnections(options: ConnectionOptions): { look(): number; stop(): void } {
  const { ports, descriptors, isSpared } = options;
  const bounds = {
    perAddress: Math.min(MOST_PER_ADDRESS, Math.max(FEWEST_PER_ADDRESS, descriptors >> 6)),
    total: descriptors - Math.min(MOST_KEPT_FREE, descriptors >> 3),
  };
  let sockets = options.sockets;
  let known = new Map<number, Connection>();
  let seen = 0;
  /** Returns how many were shut down. */
  const look = (): number => {
    if (openDescriptors() < FEWEST_PER_ADDRESS) return 0;
    sockets ??= systemSockets();
    const present = [...sockets.connected(ports())].map(([descriptor, peer]): Connection => {
      const before = known.get(descriptor);
      const isSame = before?.address === peer.address && before.port === peer.port;
      return isSame ? before : { ...peer, descriptor, seen: ++seen };
    });
    known = new Map(present.map((each) => [each.descriptor, each]));
    const excess = above(bounds, present, isSpared);
    for (const { descriptor } of excess) sockets.shutDown(descriptor);
    return excess.length;
  };
  const timer = setInterval(() => void look(), EVERY);
  timer.unref();
  return { look, stop: () => clearInterval(timer) };
}

/** How many are open now; more than any bound where the system doesn't say (Linux before 6.2 says 0). */
function openDescriptors(): number {
  try {
    return statSync("/proc/self/fd").size || Number.POSITIVE_INFINITY;
  } catch {
    return 0;
  }
}

/** What is above the bounds: of a network its latest, of all those of the networks that have most. */
function above(
  bounds: { readonly perAddress: number; readonly total: number },
  connections: readonly Connection[],
  isSpared: (address: string) => boolean,
): Connection[] {
  const counts = new Map<string, number>();
  const kept: (Connection & { readonly rank: number })[] = [];
  const excess: Connection[] = [];
  for (const connection of connections.toSorted((one, other) => one.seen - other.seen)) {
    const networks = networksOf(connection.address);
    const taken = networks.map((network) => counts.get(network) ?? 0);
    const isFull = taken.some(
      (count, at) => count >= bounds.perAddress * present(ADDRESSES_PER_NETWORK[at], "limit"),
    );
    if (isFull && !isSpared(connection.address)) {
      excess.push(connection);
      continue;
    }
    for (const network of networks) counts.set(network, (counts.get(network) ?? 0) + 1);
    // The widest has the most: it counts all that are in the others.
    kept.push({ ...connection, rank: Math.max(...taken) });
  }
  const byRank = kept.toSorted((one, other) => one.rank - other.rank);
  return [...excess, ...byRank.slice(Math.max(0, bounds.total))];
}

/** How many files and sockets this process can have open; undefined where the system doesn't say. */
export function descriptorLimit(): number | undefined {
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    const soft = /^Max open files\s+(\d+|unlimited)/m.exec(limits)?.[1];
    return soft === "unlimited" ? Number.MAX_SAFE_INTEGER : Number(soft) || undefined;
  } catch {
    return undefined;
  }
}

/** Fewer than this are used up by a few hundred browsers. */
const ENOUGH_DESCRIPTORS = 4096;

/** What to say at the start when only few files and connections can be open; undefined for enough. */
export function tooFewDescriptors(limit: number | undefined): string | undefined {
  if (limit === undefined || limit >= ENOUGH_DESCRIPTORS) return undefined;
  return `Only ${limit} files and connections can be open at once, which visitors can use up. Raise the limit: LimitNOFILE=65536 in the service, or "ulimit -n 65536" before the start.`;
}
