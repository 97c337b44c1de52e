/** The composition root: takes the store and the settings, returns the application. */
import { type AnyElysia, Elysia } from "elysia";
import { entities } from "../schema/index.ts";
import { accounts } from "./accounts/accounts.ts";
import { hasUser } from "./accounts/users.ts";
import type { OnNewBrowser } from "./accounts/deviceCookies.ts";
import type { AuditLog } from "./accounts/auditLog.ts";
import { passwordLinks } from "./accounts/passwordReset.ts";
import { backupScheduler } from "./backup/kept/backupScheduler.ts";
import { startSweeping } from "./content/binCleanup.ts";
import { deletables } from "./binHandlers.ts";
import { reportToLog, responseTo, translatorFor } from "./http/errors.ts";
import { refusedBodies } from "./http/refusedBodies.ts";
import { type FrontDoorOptions, installRequestHandler } from "./http/requestHandler.ts";
import { writesNotices } from "./http/health.ts";
import { requestCounts } from "./http/metrics.ts";
import { readyResponses } from "./http/readyResponses.ts";
import { rateLimits, visits } from "./http/limits.ts";
import { requestIds } from "./http/requestLog.ts";
import { hstsScope } from "./http/securityHeaders.ts";
import { insecureLoginCheck } from "./http/insecureConnections.ts";
import { clientAddress, addressMatcher, socketAddress, visitorIdentifier } from "./http/visitor.ts";
import { detectUntrustedProxy } from "./http/untrustedProxy.ts";
import { monitorAccess } from "./http/monitorAccess.ts";
import { noticeRoutes } from "./accounts/notices.ts";
import { openLetters } from "./newsletter/letters.ts";
import { openMessaging } from "./messaging.ts";
import type { Config } from "./shared/config.ts";
import { dataKeyOf } from "./shared/dataKey.ts";
import { notFound } from "./shared/errors.ts";
import type { NoticeSource } from "./shared/notice.ts";
import { reportUnknownZone } from "./shared/siteZone.ts";
import { folderEngine } from "./storage/files/folderEngine.ts";
import { folderStorage } from "./storage/pictures/folderStorage.ts";
import { diskNotices, listNotices } from "./upkeep/limitNotices.ts";
import { startPictureChecks } from "./uploads/pictureChecks.ts";
import { enquiries } from "./enquiries/enquiries.ts";
import { repeatErasures } from "./visitors/personalData.ts";
import { quotaNotices, visitorQuota } from "./visitors/visitorQuota.ts";
import { type AppContext, type AppOptions, routesOf } from "./routes.ts";

export type { AppContext, AppOptions } from "./routes.ts";

interface App {
  /** Handles requests. */
  readonly app: AnyElysia;
  readonly audit: AuditLog;
  /** Stops background work, whoever listened; resolves once it has finished. */
  stop(): Promise<void>;
}

/** Assembles the application. The caller listens, with `LISTENING` of `http/listening.ts`. */
// oxlint-disable-next-line max-lines-per-function -- It only puts things together, in their order.
export async function createApp(options: AppOptions): Promise<App> {
  const { store, bin, library, config, time } = options;
  const { clock = Date.now, log = () => {}, report = reportToLog } = options;
  const { siteUrl, rateLimit: limited } = config;
  const engine = options.engine ?? folderEngine(config.dataDir);
  const pictures = options.pictures ?? folderStorage(config.uploadsDir);
  // Bypasses Bun's own router, so that every request, to an existing path or not, is handled the same.
  const app = new Elysia({ systemRouter: false });
  const { socketOf, proxies, visitorOf, checkLine } = senders(app, config);
  const trustedClock = time?.now ?? clock;
  const deletable = deletables({ store, bin, library, clock: trustedClock, log });
  const sweeping = startSweeping({
    bin,
    remove: (binned) => deletable(binned.entity).remove(binned),
    storeTime: time?.check,
    log,
  });
  const watch = startPictureChecks({ store, bin, pictures, log });
  const links = passwordLinks(store, await store.secret(), clock);
  const unsent = { store, config, clock, log, passwordLink: links, sends: false };
  const mail = options.mail ?? (await openMessaging(unsent));
  const letters = options.letters ?? (await openLetters({ store, bin, clock, log, mail }));
  const onNewBrowser: OnNewBrowser = (...login) =>
    void mail.accounts.notifyNewLogin(...login).catch(report);
  const common = {
    store,
    clock,
    trustedClock: time?.now,
    siteUrl,
    limited,
    visitorOf,
    log,
    onNewBrowser,
  };
  const dataKey = dataKeyOf(config.dataKey);
  const shared = await accounts({ ...common, passwords: options.passwords, dataKey });

  const visited = visits(clock);
  const rateLimit = rateLimits({
    clock,
    enabled: limited,
    visits: visited,
    channel: store.instances,
  });
  await repeatErasures({ store, bin, audit: shared.audit, log });
  reportUnknownZone(store, log);
  const room = visitorQuota(store, rateLimit, () => hasUser(store));
  const forms = await enquiries({ ...shared, rateLimit, room, storeEnquiry: mail.storeEnquiry });
  const backups = options.backups ?? backupScheduler({ store, config, clock, log });
  const stops: (() => unknown)[] = [sweeping.stop, watch.stop];
  if (!options.letters) stops.push(letters.stop);
  const onStop: AppContext["onStop"] = (end) => void stops.push(end);
  const { sweep } = sweeping;
  const contextOptions = { config, rateLimit, bin, room, forms, log, sweep, onStop, backups, mail };
  const context: AppContext = { ...shared, ...contextOptions, mailingList: letters.mailingList };
  const sources = [...noticeSources(options, context), proxies.notices, watch.notices];
  const notices = noticeRoutes({ ...context, notifyOwners: mail.notifyOwners, sources });
  const requests = requestCounts();
  const watching = { sources, requests, mayWatch: monitorAccess(config.monitorToken, socketOf) };

  const ready = readyResponses(siteUrl, hstsScope(config));
  const door = {
    ready,
    visitorOf,
    checkLine,
    limited,
    visits: visited,
    requests,
    report,
    note: log,
  };
  const { logRequest = log, setup } = options;
  guardRequests(app, context, { ...door, onPage: setup?.notePage, log: logRequest });
  const parts = { context, options, engine, pictures, links, letters, deletable, ready, watching };
  for (const routes of [notices, ...(await routesOf(parts))]) app.use(routes);
  for (const plugin of options.plugins?.(context) ?? []) app.use(plugin);
  app.all("/api", throwNotFound).all("/api/*", throwNotFound);
  const stop = async () => void (await Promise.all(stops.map((end) => end())));
  return { audit: shared.audit, app, stop };
}

/** The sender of a request, and whether it was encrypted, as reported by trusted proxies. */
function senders(app: AnyElysia, { siteUrl, trustedProxies = [], plainLogin }: Config) {
  const isProxy = addressMatcher(trustedProxies);
  const socketOf = socketAddress(() => app.server);
  const proxies = detectUntrustedProxy();
  const visitorOf = visitorIdentifier(socketOf, clientAddress(isProxy, proxies.untrusted));
  const checkLine = insecureLoginCheck({ siteUrl, allowed: plainLogin, isProxy, socketOf });
  return { socketOf, proxies, visitorOf, checkLine };
}

/** The notices for a site's owners, from every source. */
const noticeSources = (
  { store, library, config, time, notices }: AppOptions,
  { backups, mail, mailingList }: AppContext,
): NoticeSource[] => [
  writesNotices(
    () => store.health(),
    () => library.health(),
  ),
  notices ?? (() => []),
  backups.notices,
  mail.notices,
  mailingList.notices,
  diskNotices({ data: config.dataDir, pictures: config.uploadsDir }).notices,
  () => quotaNotices(store),
  () => listNotices(store),
  ...(time ? [time.notices] : []),
];

/** Wraps all routes in the checks of every request, and has one form for every refusal. */
function guardRequests(
  app: AnyElysia,
  { store, config, sessions, cookie, rateLimit }: AppContext,
  door: Omit<
    FrontDoorOptions,
    "siteUrl" | "encrypted" | "hasSession" | "bodies" | "sayTo" | "language" | "ids"
  >,
): void {
  const ids = requestIds();
  const language = () => store.of(entities.site).read().value.language;
  const sayTo = translatorFor(language);
  const isLoggedIn = async (request: Request) =>
    (await sessions.userOf(cookie.tokenOf(request) ?? "")) !== undefined;
  const bodies = refusedBodies({ rateLimit, visitorOf: door.visitorOf, isLoggedIn });
  const hasSession = (request: Request) => cookie.tokenOf(request) !== undefined;
  const { siteUrl } = config;
  const handlerOptions = {
    siteUrl,
    encrypted: hstsScope(config),
    hasSession,
    bodies,
    sayTo,
    language,
    ids,
  };
  installRequestHandler(app, { ...door, ...handlerOptions });
  app.onError(({ error, code, request }) =>
    responseTo(error, code, { id: ids.of(request), report: door.report, say: sayTo(request) }),
  );
}

const throwNotFound = () => {
  throw notFound();
};
