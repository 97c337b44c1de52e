/** This process's sockets, read through Linux's C library. */
import { dlopen } from "bun:ffi";

/** Sockets by descriptor. */
export interface Sockets {
  /** The peers of sockets on one of these local ports, by descriptor. */
  connected(ports: readonly number[]): Map<number, Peer>;
  shutDown(descriptor: number): void;
}

/** The other end of a socket. */
export interface Peer {
  readonly address: string;
  readonly port: number;
}

const SOL_SOCKET = 1;
const SO_LINGER = 13;
const SHUT_RDWR = 2;
const AF_INET = 2;
const AF_INET6 = 10;
const ADDRESS_BYTES = 28;
/**
 * The kernel assigns the lowest free descriptor, so they are dense: beyond a gap this wide there are only leftovers
 * of a flood, which the previous scan has seen.
 */
const GAP = 4096;

/** Finds none without the library. Probes descriptors by number, as listing them would need another one. */
export function systemSockets(): Sockets {
  const libc = cLibrary();
  if (!libc) return { connected: () => new Map(), shutDown: () => {} };
  const bytes = new Uint8Array(ADDRESS_BYTES);
  const length = new Uint32Array(1);
  const ask = (which: "getsockname" | "getpeername", descriptor: number): boolean => {
    length[0] = ADDRESS_BYTES;
    return libc[which](descriptor, bytes, length) === 0;
  };
  const view = new DataView(bytes.buffer);
  const port = () => view.getUint16(2);
  /** The highest socket of the previous scan. */
  let highest = 0;
  const isInternet = () => [AF_INET, AF_INET6].includes(view.getUint16(0, true));
  return {
    connected(own) {
      const found = new Map<number, Peer>();
      let last = 0;
      for (let at = 0; at - Math.max(last, highest) < GAP; at++) {
        if (!ask("getsockname", at)) continue;
        last = at;
        if (!isInternet() || !own.includes(port()) || !ask("getpeername", at)) continue;
        found.set(at, { address: addressIn(bytes), port: port() });
      }
      highest = last;
      return found;
    },
    shutDown(descriptor) {
      // Drops unsent data, which frees its memory at once.
      libc.setsockopt(descriptor, SOL_SOCKET, SO_LINGER, new Int32Array([1, 0]), 8);
      libc.shutdown(descriptor, SHUT_RDWR);
    },
  };
}

/** The address in a `sockaddr_in` or `sockaddr_in6`. */
function addressIn(bytes: Uint8Array): string {
  if (bytes[0] === AF_INET) return bytes.subarray(4, 8).join(".");
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const groups = Array.from({ length: 8 }, (_, at) => view.getUint16(8 + 2 * at));
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return bytes.subarray(20, 24).join(".");
  return groups.map((group) => group.toString(16)).join(":");
}

interface CLibrary {
  getsockname(descriptor: number, address: Uint8Array, length: Uint32Array): number;
  getpeername(descriptor: number, address: Uint8Array, length: Uint32Array): number;
  setsockopt(
    descriptor: number,
    level: number,
    name: number,
    value: Int32Array,
    size: number,
  ): number;
  shutdown(descriptor: number, how: number): number;
}

/** Undefined where no such library exists. */
function cLibrary(): CLibrary | undefined {
  if (process.platform !== "linux") return undefined;
  const named = { args: ["i32", "ptr", "ptr"], returns: "i32" } as const;
  const calls = {
    getsockname: named,
    getpeername: named,
    setsockopt: { args: ["i32", "i32", "i32", "ptr", "i32"], returns: "i32" },
    shutdown: { args: ["i32", "i32"], returns: "i32" },
  } as const;
  for (const name of ["libc.so.6", "libc.so"])
    try {
      return dlopen(name, calls).symbols;
    } catch {
      // Not on this system: try the next name.
    }
  return undefined;
}
