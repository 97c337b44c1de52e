/** `limelight demo`: the sample site in a folder of its own, served for trying it out. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { createUser, type UserContext, resetPassword, usersDocument } from "../accounts/users.ts";
import { createPasswords } from "../accounts/passwords.ts";
import { type Config, readConfig } from "../shared/config.ts";
import { cannotOpen } from "../shared/errors.ts";
import type { Store } from "../storage/store.ts";
import type { UploadLibrary } from "../uploads/uploadLibrary.ts";
import { printLine } from "./command.ts";
import { openSite } from "./openSite.ts";
import { serveUntilSignal } from "./serve.ts";

type FillSite = (store: Store, library: UploadLibrary, now: Date) => Promise<number>;

const DEMO_USERNAME = "demo";

/** Creates the site if it is missing, and serves it until the program is stopped. */
export async function serveDemo(config: Config, fill: FillSite): Promise<undefined> {
  const folder = join(config.siteDir, "limelight-demo");
  // New at every start, so that it is stored nowhere and never the same on two machines.
  const password = randomBytes(8).toString("hex");
  const demo = createDemoConfig(config, folder);
  const login = await prepareSite(demo, password, fill);
  const address = await serveUntilSignal(demo);
  printLine(`Log in at ${address}/admin as "${login}" with the password "${password}"`);
  printLine(
    `The sample site is stored in ${folder}. To start over, stop this program and delete that folder.`,
  );
}

/** Only where it listens is taken from the settings: a sample has no domain, no database and no store for backups. */
function createDemoConfig({ host, port, domain }: Config, folder: string): Config {
  const listens = domain ? [] : ["--host", host, "--port", String(port)];
  return readConfig(["--site-dir", folder, ...listens], {}).config;
}

/** Returns the owner's username. The owner is created last, so that a half-made site isn't taken for a finished one. */
async function prepareSite(config: Config, password: string, fill: FillSite): Promise<string> {
  const { store, library, close } = await openSite(config, printLine);
  try {
    const tools: UserContext = { store, passwords: createPasswords(), clock: Date.now };
    const [owner] = usersDocument(store).read().value;
    if (owner) return (await resetPassword(tools, owner.username, password)).username;
    if (library.list().length > 0) throw cannotOpen(unfinishedSiteMessage(config.siteDir));
    printLine("Creating the sample site. This takes a few seconds.");
    await fill(store, library, new Date());
    await createUser(tools, { username: DEMO_USERNAME, email: "demo@example.com", password });
    return DEMO_USERNAME;
  } finally {
    await close();
  }
}

const unfinishedSiteMessage = (folder: string) =>
  `The sample site in ${folder} is unfinished, because its creation was interrupted. Delete that folder, then try again.`;
