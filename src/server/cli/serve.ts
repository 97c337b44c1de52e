/** `limelight serve`: opens the site, prints its address, and serves it until it is stopped. */
import { createPasswordLinks } from "../accounts/passwordReset.ts";
import { createUser, findUser, isSetUp } from "../accounts/users.ts";
import { createPasswords } from "../accounts/passwords.ts";
import { createSetupLink, type SetupLink } from "../accounts/setup.ts";
import { createApp } from "../app.ts";
import { BackupScheduler } from "../backup/repository/backupScheduler.ts";
import { findReachableHost } from "../http/listenOptions.ts";
import { isPublicHttp, findUnencryptedSettings } from "../http/insecureConnections.ts";
import { formatError, type ReportError } from "../http/requestLog.ts";
import { openNewsletter } from "../newsletter/openNewsletter.ts";
import { openMessaging } from "../messaging.ts";
import { loadWebBuild } from "../pages/webBuild.ts";
import { type Config, findMisspelledSettings } from "../shared/config.ts";
import { cannotStore, isRefusal, Refusal, wrongUsage } from "../shared/errors.ts";
import { type Log, openLog } from "../shared/log.ts";
import type { Notice } from "../shared/notice.ts";
import { startRetention } from "../visitors/retention.ts";
import { replaceWithServiceCommands } from "./serviceCommands.ts";
import { type Command, reportUncaughtErrors } from "./command.ts";
import type { RenewalOptions } from "./https/renewal.ts";
import { type ListeningSite, SHUTDOWN_GRACE_MS, startListening } from "./listen.ts";
import { createEngine, type OpenSite, openSite, createPictureStorage } from "./openSite.ts";

export const serveCommand: Command = {
  name: "serve",
  summary: "serves the site (also when no command is given)",
  run: (config) => serveUntilSignal(config).then(() => undefined),
};

/** Serves the site until a signal ends the program. Returns the site's URL once the server listens. */
export async function serveUntilSignal(config: Config): Promise<string> {
  const logs = openServeLogs();
  if (config.backupKey)
    await (await import("../backup/encryption.ts")).assertValidRecipients(config.backupKey);
  reportUncaughtErrors(logs.report);
  let running = await openAndServe(config, logs, restart);
  const { port, localAddress, ready, setupLink } = running;
  const address = config.siteUrl ?? `http://${findReachableHost(config)}:${port}`;
  logs.print(`Limelight is serving ${address} (listening on ${localAddress})`);
  // The setup link is valid for a limited time, so it isn't shown until the site can be reached.
  const hasHttpsProxy = !config.domain && config.siteUrl?.startsWith("https:");
  const printSetupLink = (path: string) =>
    logs.print(formatSetupLine(`${address}${path}`, hasHttpsProxy));
  if (setupLink) void ready.then(() => printSetupLink(setupLink.createPath()));
  if (config.siteUrl && !config.plainLogin && isPublicHttp(config.siteUrl))
    logs.print(UNENCRYPTED_SITE_MESSAGE, "warning");
  for (const setting of findUnencryptedSettings(config))
    logs.print(
      `${setting} is an unencrypted connection over the internet, which others can read. ${chooseEncryptionAdvice(setting)} (docs/operating.md).`,
      "warning",
    );
  if (!config.rateLimit)
    logs.print(
      "RATE_LIMIT is off: requests aren't limited. Use this for load tests only.",
      "warning",
    );
  for (const line of findMisspelledSettings(process.env)) logs.print(line, "warning");
  await notifyServiceManager("READY=1");
  stopOnSignal(() => running.stop().catch(logs.report));
  return address;

  /** Closes the site and opens it again on the same port. Ends the program if that fails. */
  function restart(): void {
    void (async () => {
      await running.stop();
      running = await openAndServe({ ...config, port }, logs, restart);
      logs.logLine("restore: the site is back online", "info");
    })().catch((error: unknown) => {
      logs.report(error);
      process.exit(1);
    });
  }
}

function chooseEncryptionAdvice(setting: string): string {
  if (setting === "DATABASE_URL") return "Add sslmode=verify-full to it";
  if (setting === "CLAMD") return "Use a virus scanner on this machine or network";
  return "Use an https:// address";
}

async function notifyServiceManager(line: string): Promise<void> {
  const socket = process.env["NOTIFY_SOCKET"];
  if (socket) (await import("./serviceManager.ts")).notifySocket(socket, line);
}

type ServeLogs = ReturnType<typeof openServeLogs>;

const withTimestamp = (line: string) => `${new Date().toISOString()} ${line}`;

/** Opens the logs of a serving site: standard output, and standard error for errors. */
function openServeLogs() {
  const out = openLog(1);
  const errors = openLog(2);
  const report: ReportError = (error, id) =>
    errors.writeNow(withTimestamp(formatError(error, id)), "error");
  return {
    /** Prints without a timestamp, for the person who started the program. */
    print: ((line, level = "info") =>
      out.writeNow(replaceWithServiceCommands(line), level)) satisfies Log,
    logLine: ((line, level = "warning") =>
      out.writeNow(withTimestamp(replaceWithServiceCommands(line)), level)) satisfies Log,
    /** Adds a line to a batch that is printed soon. The line must contain its timestamp. */
    logRequest: (line: string) => out.add(line),
    report,
  };
}

/** A listening site and its open data. `stop` ends both. */
interface RunningSite extends ListeningSite {
  /** The link for creating the first owner; undefined if the site has an owner. */
  readonly setupLink: SetupLink | undefined;
}

/** Opens and serves a site. `restart` closes and reopens it, at the end of a restore from the dashboard. */
export async function openAndServe(
  config: Config,
  { print, logLine, logRequest, report }: ServeLogs,
  restart: () => void,
): Promise<RunningSite> {
  const build = await loadWebBuild();
  const site = await openSite(config, logLine);
  const { store, library, bin, trustedClock } = site;
  await createFirstOwner(config, site, logLine);
  // If a proxy provides HTTPS (no DOMAIN), `siteUrl` delays the link's expiry until HTTPS works.
  const setupLink = await createSetupLink(
    store,
    Date.now,
    config.domain ? undefined : config.siteUrl,
  );
  const backups = new BackupScheduler({ store, config, clock: Date.now, log: logLine });
  const clocks = { clock: Date.now, trustedClock: trustedClock.now };
  const passwordLinks = createPasswordLinks(store, await store.readSecret(), Date.now);
  const mail = await openMessaging({ store, config, ...clocks, log: logLine, passwordLinks });
  const letters = await openNewsletter({ store, bin, ...clocks, log: logLine, mail });
  let certificateNotice: Notice | undefined;
  const reportProblem: RenewalOptions["reportProblem"] = (problem) => {
    certificateNotice = problem && { code: "certificate", problem: "certificate", ...problem };
  };
  const { app, audit, stop } = await createApp({
    store,
    bin,
    trustedClock,
    config,
    library,
    build,
    setup: setupLink,
    backups,
    mail,
    letters,
    engine: createEngine(config),
    pictures: createPictureStorage(config),
    restore: (archive) => restoreEverything(archive, config, backups, restart),
    log: logLine,
    findNotices: () => (certificateNotice ? [certificateNotice] : []),
    logRequest,
    reportError: report,
  });
  const listening = await startListening(app, config, { print, log: logLine, reportProblem });
  const context = { store, bin, clock: trustedClock.now, audit };
  const retention = startRetention(context, config.retentionDays, () =>
    logLine(RETENTION_FAILED_MESSAGE),
  );
  backups.start();
  return {
    ...listening,
    setupLink,
    async stop() {
      mail.setShutdownDeadline(SHUTDOWN_GRACE_MS);
      // If one of the services fails to stop, the next ones are stopped all the same.
      const services = [listening, { stop }, backups, letters, mail, retention];
      for (const each of [...services, { stop: site.close }]) await each.stop().catch(report); // oxlint-disable-line no-await-in-loop
    },
  };
}

const RETENTION_FAILED_MESSAGE =
  "Visitors' old IP addresses or closed submissions couldn't be removed. Limelight will try again tomorrow.";

/** Makes a backup of the current site, stages the restore, and restarts the site after the response. */
async function restoreEverything(
  archive: string,
  config: Config,
  backups: BackupScheduler,
  restart: () => void,
): Promise<void> {
  const backup = await backups.startJob("backupBeforeRestore").outcome;
  if (!backup.isStoredLocally)
    throw cannotStore(
      `Nothing was changed, because the current site couldn't be backed up first. ${backup.message}`,
    );
  const { stageRestore } = await import("../backup/restore.ts");
  const site = { data: createEngine(config), uploads: createPictureStorage(config) };
  await stageRestore(archive, site);
  setTimeout(restart, 0);
}

const formatSetupLine = (link: string, hasHttpsProxy = false) =>
  `Set up your site here. The link can be used once and expires ${hasHttpsProxy ? "30 minutes after the first visit to the site over HTTPS" : "in 30 minutes"}: ${link}`;

const UNENCRYPTED_SITE_MESSAGE =
  "SITE_URL is a public http:// address, so nobody can log in there. Set up HTTPS (docs/operating.md), or set PLAIN_LOGIN=on if the connection is private.";

function stopOnSignal(stop: () => Promise<void>): void {
  let isStopping = false;
  const handleSignal = () => {
    if (isStopping) process.exit(1);
    isStopping = true;
    void stop().then(() => process.exit(0));
  };
  process.on("SIGTERM", handleSignal);
  process.on("SIGINT", handleSignal);
}

type FirstOwnerSettings = Pick<Config, "adminUsername" | "adminEmail" | "adminPassword">;

/**
 * Creates an owner from ADMIN_USERNAME, ADMIN_EMAIL and ADMIN_PASSWORD on a site without owners. Of several instances
 * that start at the same time, only one creates the owner. Throws `usage` for unsuitable settings. If this throws, the
 * site is closed.
 */
export async function createFirstOwner(
  { adminUsername: username, adminEmail: email, adminPassword: password }: FirstOwnerSettings,
  { store, close }: Pick<OpenSite, "store" | "close">,
  logLine: (line: string) => void,
): Promise<void> {
  if (!username && !email && !password) return;
  if (isSetUp(store)) return;
  try {
    const context = { store, passwords: createPasswords(), clock: Date.now };
    await createUser(context, { username, email, password }, { mustBeFirst: true });
  } catch (error) {
    if (!isRefusal(error, "conflict")) {
      await close();
      if (!(error instanceof Refusal)) throw error;
      throw wrongUsage(`ADMIN_USERNAME, ADMIN_EMAIL, ADMIN_PASSWORD: ${error.message}`);
    }
    // Another instance has just created an owner. The failed write has loaded that owner into this instance's store.
    const [ownerByName, ownerByEmail] = [username, email].map((login) =>
      findUser(store, login ?? ""),
    );
    if (ownerByName === undefined || ownerByName !== ownerByEmail)
      logLine(ADMIN_SETTINGS_UNUSED_MESSAGE);
  }
}

const ADMIN_SETTINGS_UNUSED_MESSAGE =
  "ADMIN_USERNAME, ADMIN_EMAIL and ADMIN_PASSWORD weren't used: another instance has just created an owner with a different username or email. Use the same settings on all instances.";
