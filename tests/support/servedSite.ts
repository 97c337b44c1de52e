/** A site of the built program for each test of a file. Tests may kill and restart it. */
import { afterEach, beforeEach, expect } from "bun:test";
import {
  createSiteFolder,
  type ProgramSite,
  removeSiteFolder,
  runProgram,
  type SiteFolder,
  startProgram,
} from "./program.ts";

export interface ServedSite extends ProgramSite, SiteFolder {
  /** Starts the site, also after a stop; by default without limits. */
  start(env?: Readonly<Record<string, string>>): Promise<void>;
  /** Creates an item as the owner. Returns its id. */
  createItem(path: string, body: object): Promise<string>;
  /** Runs a command of the program to its end. */
  run(...args: string[]): ReturnType<typeof runProgram>;
  /** Fails if the doctor finds a problem. */
  expectNoProblems(): Promise<void>;
  /** Fails if the site's log reports damage or loss. */
  expectUndamaged(): void;
}

/** Creates the site in the first hook. With `isStarted: false` it isn't started. */
export function setUpServedSite({ isStarted = true } = {}): ServedSite {
  const site = {
    start: async (env = { RATE_LIMIT: "off" }) =>
      void Object.assign(site, await startProgram({ folder: site.folder, env })),
    createItem: async (path, body) => (await site.asOwner("POST", path, body)).id,
    run: (...args) => runProgram(site, args),
    async expectNoProblems() {
      const { code, out } = await site.run("doctor");
      expect([code, out]).toEqual([0, expect.stringContaining("No problems found.")]);
    },
    // The first line that reports damage is enough for the message.
    expectUndamaged: () =>
      expect(/.*(DAMAGED|RECOVERED|LOST).*/.exec(site.log())?.[0]).toBeUndefined(),
  } as ServedSite;
  beforeEach(async () => {
    Object.assign(site, await createSiteFolder());
    if (isStarted) await site.start();
  });
  afterEach(async () => {
    await site.stop?.("SIGKILL");
    await removeSiteFolder(site);
  });
  return site;
}
