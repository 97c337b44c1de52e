/** `limelight serve`: opens the site, says where it is, and serves until it is told to stop. */
import { createOwner, usersOf } from "../accounts/owners.ts";
import { passwords } from "../accounts/passwords.ts";
import { openSetup } from "../accounts/setup.ts";
import { createApp } from "../app.ts";
import { backupsOf } from "../backup/kept/backups.ts";
import { faultLine, type ReportFault } from "../http/errors.ts";
import { moments } from "../http/requestLog.ts";
import { isPlainAndPublic } from "../http/plainLine.ts";
import { loadWebBuild } from "../pages/webBuild.ts";
import type { Config } from "../shared/config.ts";
import { wrongUsage } from "../shared/errors.ts";
import { openLog } from "../shared/log.ts";
import { keepForgetting } from "../visitors/retention.ts";
import { type Command, keepServing } from "./command.ts";
import { listen } from "./listen.ts";
import { openSite, type OpenSite } from "./openSite.ts";

export const serve: Command = {
  name: "serve",
  summary: "serves the site (also when no command is given)",
  run: start,
};

async function start(config: Config): Promise<undefined> {
  const { say, note, noteRequest, report } = logs();
  const build = await loadWebBuild();
  if (config.backupKey)
    await (await import("../backup/encryption.ts")).requireRecipients(config.backupKey);
  const site = await openSite(config, note);
  const { store, library, bin } = site;
  await firstOwner(config, site);
  const setup = openSetup(store, Date.now);
  const backups = backupsOf({ store, config, clock: Date.now, log: note });
  const app = await createApp({
    store,
    bin,
    config,
    library,
    build,
    setup,
    backups,
    log: note,
    logRequest: noteRequest,
    report,
  });
  const listening = listen(app, config, say);
  keepServing(report);
  const address = config.siteUrl ?? `http://${hostOf(config)}:${app.server!.port}`;
  say(`Limelight is serving ${address} (listening on ${listening.at})`);
  if (setup)
    say(`Set up your site here (the link works once, for 30 minutes): ${address}${setup.path}`);
  if (config.siteUrl && !config.plainLogin && isPlainAndPublic(config.siteUrl)) say(PLAIN_SITE);
  if (!config.rateLimit)
    say("RATE_LIMIT is off: nothing is limited. Use this for load tests only.");
  const forgetting = keepForgetting(store, bin, config.retentionDays, () =>
    note("Visitors' old IP addresses couldn't be removed. Limelight will try again tomorrow."),
  );
  backups.keepGoing();
  stopOnSignal(async () => {
    await listening.stop();
    await backups.stop();
    await forgetting.stop();
    await site.close();
  });
}

/** What a serving site says, none of which waits for whoever reads it. */
function logs() {
  const out = openLog(1);
  const errors = openLog(2);
  const now = moments();
  const stamped = (line: string) => `${now(Date.now())} ${line}`;
  const report: ReportFault = (error, id) => errors.say(stamped(faultLine(error, id)));
  return {
    /** For whoever has just started it. */
    say: (line: string) => out.say(line),
    /** With the time. */
    note: (line: string) => out.say(stamped(line)),
    /** Has its time already, and may wait for others. */
    noteRequest: (line: string) => out.add(line),
    report,
  };
}
const PLAIN_SITE =
  "SITE_URL is an http:// address that the internet reaches, so nobody can log in there: give it HTTPS (docs/operating.md), or set PLAIN_LOGIN=on if nobody else is on the way.";

/** The address to open in a browser on this machine. */
function hostOf({ host }: Config): string {
  return host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
}

/** Creates the first owner from ADMIN_USERNAME, ADMIN_EMAIL and ADMIN_PASSWORD, where there is none. */
async function firstOwner(config: Config, { store, close }: OpenSite): Promise<void> {
  const { adminUsername: username, adminEmail: email, adminPassword: password } = config;
  if (!username && !email && !password) return;
  if (usersOf(store).read().value.length > 0) return;
  try {
    await createOwner(
      { store, passwords: passwords(), clock: Date.now },
      { username, email, password },
    );
  } catch (error) {
    await close();
    throw wrongUsage(`ADMIN_USERNAME, ADMIN_EMAIL, ADMIN_PASSWORD: ${(error as Error).message}`);
  }
}

function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false;
  const end = () => {
    if (stopping) process.exit(1);
    stopping = true;
    void stop().then(() => process.exit(0));
  };
  process.on("SIGTERM", end);
  process.on("SIGINT", end);
}
