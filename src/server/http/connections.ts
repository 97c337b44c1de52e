/**
 * Limits the connections per address and in total. Bun's server has no hook for connections, and a proxy in front
 * would double the cost of a request, so the process's own sockets are checked twice a second: those above a limit
 * are shut down, which the server treats as a client that left. Bun itself closes, after 12 seconds, connections that
 * are idle, never finish their headers or don't read.
 */
import { present } from "../../schema/present.ts";
import { readFileSync, statSync } from "node:fs";
import { type Peer, type Sockets, systemSockets } from "./systemSockets.ts";
import { networksOf } from "./visitor.ts";

interface ConnectionOptions {
  /** The ports that the server listens on now. */
  readonly ports: () => readonly number[];
  /** How many files and sockets this process can have open. */
  readonly descriptors: number;
  /** True for an address that many visitors share, such as a proxy. */
  readonly isSpared: (address: string) => boolean;
  /** Default: the kernel's, through the C library. */
  readonly sockets?: Sockets;
}

interface Connection extends Peer {
  readonly descriptor: number;
  /** Increases with each new connection. */
  readonly seen: number;
}

const EVERY = 500;

/** A page needs six; a hall full of phones behind one address needs a few hundred. */
const FEWEST_PER_ADDRESS = 64;
const MOST_PER_ADDRESS = 1024;

/** The limits of the networks around an address, as multiples of one address's. */
const ADDRESSES_PER_NETWORK = [1, 4, 8];

/** Reserved for files and the program's own connections: an eighth, at most this many. */
const MOST_KEPT_FREE = 512;

/** Checks twice a second until `stop`; does nothing where the system has no such sockets. */
export function boundConnections(options: ConnectionOptions): { look(): number; stop(): void } {
  const { ports, descriptors, isSpared } = options;
  const bounds = {
    perAddress: Math.min(MOST_PER_ADDRESS, Math.max(FEWEST_PER_ADDRESS, descriptors >> 6)),
    total: descriptors - Math.min(MOST_KEPT_FREE, descriptors >> 3),
  };
  let sockets = options.sockets;
  let known = new Map<number, Connection>();
  let seen = 0;
  /** Returns how many connections were shut down. */
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

/** Descriptors open now; infinite where the kernel reports 0 (Linux before 6.2), 0 without /proc. */
function openDescriptors(): number {
  try {
    return statSync("/proc/self/fd").size || Number.POSITIVE_INFINITY;
  } catch {
    return 0;
  }
}

/** The connections above the limits: a network's newest, and in total those of the networks that have most. */
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
    // The widest network has the highest count: it includes the others.
    kept.push({ ...connection, rank: Math.max(...taken) });
  }
  const byRank = kept.toSorted((one, other) => one.rank - other.rank);
  return [...excess, ...byRank.slice(Math.max(0, bounds.total))];
}

/** How many files and sockets this process may open; undefined where the system doesn't say. */
export function descriptorLimit(): number | undefined {
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    const soft = /^Max open files\s+(\d+|unlimited)/m.exec(limits)?.[1];
    return soft === "unlimited" ? Number.MAX_SAFE_INTEGER : Number(soft) || undefined;
  } catch {
    return undefined;
  }
}

/** A few hundred browsers use up fewer than this. */
const ENOUGH_DESCRIPTORS = 4096;

/** The warning at startup when few files and connections can be open; undefined when the limit is high enough. */
export function tooFewDescriptors(limit: number | undefined): string | undefined {
  if (limit === undefined || limit >= ENOUGH_DESCRIPTORS) return undefined;
  return `Only ${limit} files and connections can be open at once, which visitors can use up. Raise the limit: LimitNOFILE=65536 in the service, or "ulimit -n 65536" before the start.`;
}
