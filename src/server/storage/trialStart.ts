/**
 * Tries a start without changing anything: the code of a real one, on a disk that keeps nothing. So what
 * is found by looking is what a start will say.
 */
import { basename, dirname } from "node:path";
import type { Entity } from "../../schema/entity.ts";
import { isRefusal } from "../shared/errors.ts";
import { type Disk, type DiskHandle, ifThere } from "./disk.ts";
import { disk as realDisk } from "./realDisk.ts";
import { openUnlocked } from "./openStore.ts";

/** How a start would go. */
export interface Trial {
  /** Why it would be refused, and how to mend that. */
  readonly refusal?: string;
  /** What it would write to its log. */
  readonly log: readonly string[];
}

/** Also while a store is open; changes made meanwhile can look like damage then. */
export async function tryStart(directory: string, entities: readonly Entity[]): Promise<Trial> {
  const log: string[] = [];
  try {
    await openUnlocked({
      directory,
      entities,
      disk: trialDisk(realDisk),
      log: (line) => log.push(line),
    });
    return { log };
  } catch (error) {
    if (!isRefusal(error, "cannot_open")) throw error;
    return { refusal: error.message, log };
  }
}

/** Reads from `real`; what is written is kept in memory and seen by later reads alone. */
export function trialDisk(real: Disk): Disk {
  /** Undefined: removed. */
  const changed = new Map<string, Uint8Array | undefined>();
  const made = new Set<string>();

  async function read(path: string): Promise<Uint8Array> {
    if (!changed.has(path)) return real.read(path);
    return changed.get(path) ?? absent(path);
  }

  async function list(path: string): Promise<string[]> {
    const names = new Set(await (made.has(path) ? ifThere(real.list(path)) : real.list(path)));
    for (const [file, bytes] of changed)
      if (dirname(file) === path) names[bytes ? "add" : "delete"](basename(file));
    for (const folder of made) if (dirname(folder) === path) names.add(basename(folder));
    return [...names];
  }

  return {
    read,
    list,
    async makeFolder(path) {
      for (let each = path; each !== dirname(each); each = dirname(each)) made.add(each);
    },
    async create(path) {
      changed.set(path, new Uint8Array());
      return { ...NOTHING, write: async (bytes) => void changed.set(path, bytes) };
    },
    async createLog(path) {
      const set = (bytes: Uint8Array) => void changed.set(path, bytes);
      const first = (length: number) => (changed.get(path) ?? absent(path)).subarray(0, length);
      set(new Uint8Array());
      return {
        ...NOTHING,
        write: async (bytes, at) => set(Buffer.concat([first(at), bytes])),
        truncate: async (length) => set(first(length)),
      };
    },
    async open(path) {
      if (made.has(path) || changed.get(path)) return NOTHING;
      if (changed.has(path)) return absent(path);
      await (await real.open(path)).close();
      return NOTHING;
    },
    // Unknown, so that a trial reads everything.
    stamp: async () => undefined,
    async link(from, to) {
      changed.set(to, await read(from));
    },
    async rename(from, to) {
      changed.set(to, await read(from));
      changed.set(from, undefined);
    },
    async remove(path) {
      if (!(await list(dirname(path))).includes(basename(path))) absent(path);
      changed.set(path, undefined);
    },
  };
}

const NOTHING: DiskHandle = {
  write: async () => {},
  sync: async () => {},
  close: async () => {},
};

function absent(path: string): never {
  throw Object.assign(new Error(`ENOENT: ${path}`), { code: "ENOENT" });
}
