/** A site being moved takes no writes; the flag is stored with its data. */
import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { cannotStore, type Refusal } from "../shared/errors.ts";
import { ifThere, syncPath, writeDurably } from "./disk/disk.ts";
import { disk } from "./disk/realDisk.ts";

/** The destination of a move, as in messages. */
export interface Destination {
  readonly data: string;
  readonly pictures: string;
}

/** Works while a store is open in any process. */
export interface Standstill {
  /** Undefined if the site takes writes. */
  underWay(): Promise<Destination | undefined>;
  /** Refuses all writes from now on, within moments in every instance. */
  begin(destination: Destination): Promise<void>;
  end(): Promise<void>;
}

/** 503: the site is being moved. */
export const standing = (): Refusal =>
  cannotStore(
    "This site is being moved to another place, so nothing can be changed right now. Pages are shown as they are. Try again later.",
  );

const FILE = ".moving";

/** Called before each write, so it must be cheap. */
export const isStanding = (directory: string): boolean => existsSync(join(directory, FILE));

/** For a site in folders: a file in its data folder. */
export function standstillIn(directory: string): Standstill {
  const path = join(directory, FILE);
  return {
    async underWay() {
      const text = await ifThere(readFile(path, "utf8"));
      return text === undefined ? undefined : (JSON.parse(text) as Destination);
    },
    begin: (destination) =>
      writeDurably(disk, path, new TextEncoder().encode(JSON.stringify(destination))),
    async end() {
      await rm(path, { force: true });
      await syncPath(disk, directory);
    },
  };
}
