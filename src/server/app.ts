/** The composition root: takes the store and the settings, returns the application. */
import { type AnyElysia, Elysia } from "elysia";
import { entities } from "../schema/index.ts";
import { createAccounts } from "./accounts/accounts.ts";
import { hasUser } from "./accounts/users.ts";
import type { OnNewBrowser } from "./accounts/deviceCookies.ts";
import type { AuditLog } from "./accounts/auditLog.ts";
import { createPasswordLinks } from "./accounts/passwordReset.ts";
import { BackupScheduler } from "./backup/repository/backupScheduler.ts";
import { startBinCleanup } from "./content/binCleanup.ts";
import { createBinHandlers } from "./binHandlers.ts";
import { reportToLog, createErrorResponse, createTranslatorFor } from "./http/errors.ts";
import { createRefusedBodies } from "./http/refusedBodies.ts";
import { type RequestHandlerOptions, installRequestHandler } from "./http/requestHandler.ts";
import { createWritesNotices } from "./http/health.ts";
import { createRequestCounts } from "./http/metrics.ts";
import { createReadyResponses } from "./http/readyResponses.ts";
import { createRateLimits, createPageViews } from "./http/rateLimits.ts";
import { createRequestIds } from "./http/requestLog.ts";
import { chooseHstsScope } from "./http/securityHeaders.ts";
import { createInsecureLoginCheck } from "./http/insecureConnections.ts";
import {
  createClientAddress,
  createAddressMatcher,
  createSocketAddress,
  createVisitorIdentifier,
  createUntrustedProxyCheck,
} from "./http/visitor.ts";
import { createMonitorAccess } from "./http/monitorAccess.ts";
import { noticeRoutes } from "./accounts/noticeRoutes.ts";
import { openNewsletter } from "./newsletter/openNewsletter.ts";
import { openMessaging } from "./messaging.ts";
import type { Config } from "./shared/config.ts";
import { createDataKey } from "./shared/secrets.ts";
import { notFound } from "./shared/errors.ts";
import type { NoticeSource } from "./shared/notice.ts";
import { reportUnknownZone } from "./shared/siteZone.ts";
import { createFolderEngine } from "./storage/files/folderEngine.ts";
import { createFolderStorage } from "./storage/pictures/folderStorage.ts";
import { createDiskNotices, createListNotices } from "./upkeep/limitNotices.ts";
import { startPictureChecks } from "./uploads/pictureChecks.ts";
import { createEnquiries } from "./enquiries/enquiries.ts";
import { repeatErasures } from "./visitors/personalData.ts";
import { createQuotaNotices, createVisitorQuota } from "./visitors/visitorQuota.ts";
import { type AppContext, type AppOptions, createRoutes } from "./routes.ts";

export type { AppContext, AppOptions } from "./routes.ts";

interface ServerApp {
  /** Handles requests. */
  readonly app: AnyElysia;
  readonly audit: AuditLog;
  /** Stops background work; resolves once it has finished. The caller closes its own listener. */
  stop(): Promise<void>;
}

/** Assembles the application. The caller listens, with `LISTEN_OPTIONS` of `http/listenOptions.ts`. */
// oxlint-disable-next-line max-lines-per-function -- It only puts things together, in their order.
export async function createApp(options: AppOptions): Promise<ServerApp> {
  const { store, bin, library, config, time } = options;
  const { clock = Date.now, log = () => {}, report = reportToLog } = options;
  const { siteUrl, rateLimit: limited } = config;
  const engine = options.engine ?? createFolderEngine(config.dataDir);
  const pictures = options.pictures ?? createFolderStorage(config.uploadsDir);
  // Bypasses Bun's own router, so that every request, to an existing path or not, is handled the same.
  const app = new Elysia({ systemRouter: false });
  const { socketOf, proxies, visitorOf, assertSecureConnection } = createSenderLookup(app, config);
  const trustedClock = time?.now ?? clock;
  const deletable = createBinHandlers({ store, bin, library, clock: trustedClock, log });
  const sweeping = startBinCleanup({
    bin,
    remove: (binned) => deletable(binned.entity).prepareRemoval(binned),
    storeTime: time?.check,
    log,
  });
  const watch = startPictureChecks({ store, bin, pictures, log });
  const links = createPasswordLinks(store, await store.readSecret(), clock);
  const unsent = { store, config, clock, log, passwordLink: links, isSending: false };
  const mail = options.mail ?? (await openMessaging(unsent));
  const letters = options.letters ?? (await openNewsletter({ store, bin, clock, log, mail }));
  const onNewBrowser: OnNewBrowser = (...login) =>
    void mail.accounts.notifyNewLogin(...login).catch(report);
  const common = {
    store,
    clock,
    trustedClock: time?.now,
    siteUrl,
    isRateLimited: limited,
    visitorOf,
    log,
    onNewBrowser,
  };
  const dataKey = createDataKey(config.dataKey);
  const shared = await createAccounts({ ...common, passwords: options.passwords, dataKey });

  const visited = createPageViews(clock);
  const rateLimit = createRateLimits({
    clock,
    isEnabled: limited,
    pageViews: visited,
    channel: store.instances,
  });
  await repeatErasures({ store, bin, audit: shared.audit, log });
  reportUnknownZone(store, log);
  const visitorQuota = createVisitorQuota(store, rateLimit, () => hasUser(store));
  const forms = await createEnquiries({
    ...shared,
    rateLimit,
    visitorQuota,
    storeEnquiry: mail.storeEnquiry,
  });
  const backups = options.backups ?? new BackupScheduler({ store, config, clock, log });
  const stops: (() => unknown)[] = [sweeping.stop, watch.stop];
  if (!options.letters) stops.push(letters.stop);
  const onStop: AppContext["onStop"] = (end) => void stops.push(end);
  const { sweep } = sweeping;
  const contextOptions = {
    config,
    rateLimit,
    bin,
    visitorQuota,
    forms,
    log,
    sweep,
    onStop,
    backups,
    mail,
  };
  const context: AppContext = { ...shared, ...contextOptions, mailingList: letters.mailingList };
  const sources = [...createNoticeSources(options, context), proxies.notices, watch.notices];
  const notices = noticeRoutes({ ...context, notifyOwners: mail.notifyOwners, sources });
  const requests = createRequestCounts();
  const watching = {
    sources,
    requests,
    mayWatch: createMonitorAccess(config.monitorToken, socketOf),
  };

  const ready = createReadyResponses(siteUrl, chooseHstsScope(config));
  const requestOptions = {
    ready,
    visitorOf,
    assertSecureConnection,
    isRateLimited: limited,
    visits: visited,
    requests,
    report,
    note: log,
  };
  const { logRequest = log, setup } = options;
  guardRequests(app, context, { ...requestOptions, onPage: setup?.notePage, log: logRequest });
  const parts = { context, options, engine, pictures, links, letters, deletable, ready, watching };
  for (const routes of [notices, ...(await createRoutes(parts))]) app.use(routes);
  for (const plugin of options.plugins?.(context) ?? []) app.use(plugin);
  app.all("/api", throwNotFound).all("/api/*", throwNotFound);
  const stop = async () => void (await Promise.all(stops.map((end) => end())));
  return { audit: shared.audit, app, stop };
}

/** The sender of a request, and whether it was encrypted, as reported by trusted proxies. */
function createSenderLookup(app: AnyElysia, { siteUrl, trustedProxies = [], plainLogin }: Config) {
  const isProxy = createAddressMatcher(trustedProxies);
  const socketOf = createSocketAddress(() => app.server);
  const proxies = createUntrustedProxyCheck();
  const visitorOf = createVisitorIdentifier(
    socketOf,
    createClientAddress(isProxy, proxies.reportUntrusted),
  );
  const assertSecureConnection = createInsecureLoginCheck({
    siteUrl,
    allowsInsecureLogin: plainLogin,
    isProxy,
    socketOf,
  });
  return { socketOf, proxies, visitorOf, assertSecureConnection };
}

/** The notices for a site's owners, from every source. */
const createNoticeSources = (
  { store, library, config, time, notices }: AppOptions,
  { backups, mail, mailingList }: AppContext,
): NoticeSource[] => [
  createWritesNotices(
    () => store.checkHealth(),
    () => library.checkHealth(),
  ),
  notices ?? (() => []),
  backups.notices,
  mail.notices,
  mailingList.notices,
  createDiskNotices({ data: config.dataDir, pictures: config.uploadsDir }).notices,
  () => createQuotaNotices(store),
  () => createListNotices(store),
  ...(time ? [time.notices] : []),
];

/** Wraps all routes in the checks of every request, and has one form for every refusal. */
function guardRequests(
  app: AnyElysia,
  { store, config, sessions, sessionCookie, rateLimit }: AppContext,
  requestOptions: Omit<
    RequestHandlerOptions,
    "siteUrl" | "encrypted" | "hasSession" | "bodies" | "translatorFor" | "language" | "ids"
  >,
): void {
  const ids = createRequestIds();
  const language = () => store.of(entities.site).read().value.language;
  const translatorFor = createTranslatorFor(language);
  const isLoggedIn = async (request: Request) =>
    (await sessions.findUser(sessionCookie.tokenOf(request) ?? "")) !== undefined;
  const bodies = createRefusedBodies({
    rateLimit,
    visitorOf: requestOptions.visitorOf,
    isLoggedIn,
  });
  const hasSession = (request: Request) => sessionCookie.tokenOf(request) !== undefined;
  const { siteUrl } = config;
  const handlerOptions = {
    siteUrl,
    encrypted: chooseHstsScope(config),
    hasSession,
    bodies,
    translatorFor,
    language,
    ids,
  };
  installRequestHandler(app, { ...requestOptions, ...handlerOptions });
  app.onError(({ error, code, request }) =>
    createErrorResponse(error, code, {
      id: ids.getId(request),
      report: requestOptions.report,
      translate: translatorFor(request),
    }),
  );
}

const throwNotFound = () => {
  throw notFound();
};
