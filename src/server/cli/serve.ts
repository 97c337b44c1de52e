/** `limelight serve`: opens the site, says where it is, and serves until it is told to stop. */
import { createOwner, usersOf } from "../accounts/owners.ts";
import { passwords } from "../accounts/passwords.ts";
import { openSetup } from "../accounts/setup.ts";
import { createApp } from "../app.ts";
import { reportToLog } from "../http/errors.ts";
import { LISTENING } from "../http/frontDoor.ts";
import { loadWebBuild } from "../pages/webBuild.ts";
import type { Config } from "../shared/config.ts";
import { wrongUsage } from "../shared/errors.ts";
import { keepForgetting } from "../visitors/retention.ts";
import { type Command, keepServing, say } from "./command.ts";
import { openSite, type OpenSite } from "./openSite.ts";

export const serve: Command = {
  name: "serve",
  summary: "serves the site (also when no command is given)",
  run: start,
};

async function start(config: Config): Promise<undefined> {
  const build = await loadWebBuild();
  const site = await openSite(config, say);
  const { store, library } = site;
  await firstOwner(config, site);
  const setup = openSetup(store, Date.now);
  const app = await createApp({ store, config, library, build, setup, log: say });
  listen(app, config);
  keepServing(reportToLog);
  const address = config.siteUrl ?? `http://${hostOf(config)}:${app.server!.port}`;
  say(`Limelight is serving ${address} (listening on ${config.host}:${app.server!.port})`);
  if (setup)
    say(`Set up your site here (the link works once, for 30 minutes): ${address}${setup.path}`);
  if (!config.rateLimit)
    say("RATE_LIMIT is off: nothing is limited. Use this for load tests only.");
  const forgetting = keepForgetting(store, config.retentionDays, () =>
    say("Visitors' old IP addresses couldn't be removed. Limelight will try again tomorrow."),
  );
  stopOnSignal(async () => {
    await app.stop();
    await forgetting.stop();
    await site.close();
  });
}

type App = Awaited<ReturnType<typeof createApp>>;

function listen(app: App, { host, port }: Config): void {
  try {
    app.listen({ ...LISTENING, hostname: host, port });
  } catch {
    throw wrongUsage(
      `Can't listen on ${host}:${port}. Another program may be using that port: choose another with PORT.`,
    );
  }
}

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
