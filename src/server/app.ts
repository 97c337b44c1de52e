/** The composition root: creates the application from the store and the settings. */
import { type AnyElysia, Elysia } from "elysia";
import { entities } from "../schema/index.ts";
import { createAccounts } from "./accounts/accounts.ts";
import { isSetUp } from "./accounts/users.ts";
import type { OnNewBrowser } from "./accounts/deviceCookies.ts";
import type { AuditLog } from "./accounts/auditLog.ts";
import { createPasswordLinks } from "./accounts/passwordReset.ts";
import { BackupScheduler } from "./backup/repository/backupScheduler.ts";
import { startBinCleanup } from "./content/binCleanup.ts";
import { createBinHandlerLookup } from "./binHandlers.ts";
import { reportToLog, createErrorResponse, createTranslatorLookup } from "./http/errorResponses.ts";
import { createRefusedBodyLimit } from "./http/refusedBodyLimit.ts";
import { type RequestHandlerOptions, installRequestHandler } from "./http/requestHandler.ts";
import { createWritesNoticeSource } from "./http/health.ts";
import { DASHBOARD_CALL_TIMEOUT_S } from "./http/listenOptions.ts";
import { createRequestCounts } from "./http/metrics.ts";
import { createReadyResponses } from "./http/readyResponses.ts";
import { createRateLimitFactory, createPageViews } from "./http/rateLimits.ts";
import { createRequestIds } from "./http/requestLog.ts";
import { createInsecureLoginCheck } from "./http/insecureConnections.ts";
import {
  createClientAddressLookup,
  createAddressMatcher,
  createSocketAddressLookup,
  createVisitorLookup,
  createUntrustedProxyCheck,
} from "./http/visitor.ts";
import { createMonitorAccess } from "./http/monitorAccess.ts";
import { createNoticeRoutes } from "./accounts/noticeRoutes.ts";
import { openNewsletter } from "./newsletter/openNewsletter.ts";
import { openMessaging } from "./messaging.ts";
import type { Config } from "./shared/config.ts";
import { createDataKey } from "./shared/secrets.ts";
import { notFound } from "./shared/errors.ts";
import type { NoticeSource } from "./shared/notice.ts";
import { reportUnknownZone } from "./shared/siteZone.ts";
import { createFolderEngine } from "./storage/files/folderEngine.ts";
import { createFolderStorage } from "./storage/pictures/folderStorage.ts";
import { createDiskNotices, createListNotices, listDiskFolders } from "./upkeep/limitNotices.ts";
import { startPictureChecks } from "./uploads/pictureChecks.ts";
import { createEnquiries } from "./enquiries/enquiries.ts";
import { repeatErasures } from "./visitors/personalData.ts";
import { createQuotaNotices, createVisitorQuota } from "./visitors/visitorQuota.ts";
import { type AppContext, type AppOptions, createRoutes } from "./routes.ts";

export type { AppContext, AppOptions } from "./routes.ts";

interface ServerApp {
  /** The routes and the checks before them. */
  readonly app: AnyElysia;
  readonly audit: AuditLog;
  /** Stops background work, and resolves once it has ended. The caller closes the listener. */
  stop(): Promise<void>;
}

/** Creates the application, without a listener (http/listenOptions.ts). */
// oxlint-disable-next-line max-lines-per-function -- It only puts things together, in their order.
export async function createApp(options: AppOptions): Promise<ServerApp> {
  const { store, bin, library, config, trustedClock } = options;
  const { clock = Date.now, log = () => {}, reportError = reportToLog } = options;
  const { siteUrl, rateLimit: isRateLimited } = config;
  const engine = options.engine ?? createFolderEngine(config.dataDir);
  const pictures = options.pictures ?? createFolderStorage(config.uploadsDir);
  // Without Bun's own router, requests to existing and unknown paths are handled the same way.
  const app = new Elysia({ systemRouter: false });
  const { getSocketAddress, untrustedProxyCheck, identifyVisitor, assertSecureConnection } =
    createConnectionChecks(app, config);
  const getTrustedTime = trustedClock?.now ?? clock;
  const getBinHandler = createBinHandlerLookup({ store, bin, library, clock: getTrustedTime, log });
  const binCleanup = startBinCleanup({
    bin,
    removeItem: (binItem) => getBinHandler(binItem.entity).prepareRemoval(binItem),
    saveCurrentTime: trustedClock?.saveTrustedTime,
    log,
  });
  const pictureChecks = startPictureChecks({ store, bin, pictures, log });
  const passwordLinks = createPasswordLinks(store, await store.readSecret(), clock);
  const mailOptions = { store, config, clock, log, passwordLinks, isSending: false };
  const mail = options.mail ?? (await openMessaging(mailOptions));
  const letters = options.letters ?? (await openNewsletter({ store, bin, clock, log, mail }));
  const onNewBrowser: OnNewBrowser = (...login) =>
    void mail.accountMail.notifyNewLogin(...login).catch(reportError);
  const accounts = await createAccounts({
    store,
    clock,
    trustedClock: trustedClock?.now,
    siteUrl,
    isRateLimited,
    identifyVisitor,
    extendTimeout: (request) => app.server?.timeout(request, DASHBOARD_CALL_TIMEOUT_S),
    log,
    dataKey: createDataKey(config.dataKey),
    passwords: options.passwords,
    onNewBrowser,
  });

  const pageViews = createPageViews(clock);
  const createRateLimit = createRateLimitFactory({
    clock,
    isEnabled: isRateLimited,
    pageViews,
    channel: store.coordinator,
  });
  await repeatErasures({ store, bin, audit: accounts.audit, log });
  reportUnknownZone(store, log);
  const visitorQuota = createVisitorQuota(store, createRateLimit, () => isSetUp(store));
  const enquiries = await createEnquiries({
    ...accounts,
    createRateLimit,
    visitorQuota,
    storeEnquiry: mail.storeEnquiry,
  });
  const backups = options.backups ?? new BackupScheduler({ store, config, clock, log });
  const stopCallbacks: (() => unknown)[] = [binCleanup.stop, pictureChecks.stop];
  if (!options.letters) stopCallbacks.push(letters.stop);
  const onStop: AppContext["onStop"] = (end) => void stopCallbacks.push(end);
  const context: AppContext = {
    ...accounts,
    config,
    createRateLimit,
    bin,
    visitorQuota,
    enquiries,
    log,
    sweep: binCleanup.sweep,
    onStop,
    backups,
    mail,
    mailingList: letters.mailingList,
  };
  const noticeSources = [
    ...createNoticeSources(options, context),
    untrustedProxyCheck.findNotices,
    pictureChecks.findNotices,
  ];
  const notices = createNoticeRoutes({
    ...context,
    notifyOwners: mail.notifyOwners,
    noticeSources,
  });
  const requestCounts = createRequestCounts();
  const monitoring = {
    noticeSources,
    requestCounts,
    canMonitor: createMonitorAccess(config.monitorToken, getSocketAddress),
  };

  const readyResponses = createReadyResponses(config);
  const { logRequest = log, setup } = options;
  guardRequests(app, context, {
    siteUrl,
    httpsSubdomains: config.httpsSubdomains,
    readyResponses,
    identifyVisitor,
    assertSecureConnection,
    isRateLimited,
    pageViews,
    requestCounts,
    reportError,
    onPageSent: setup?.recordPageRequest,
    logRequest,
    logLine: log,
  });
  const routes = await createRoutes({
    context,
    options,
    engine,
    pictures,
    passwordLinks,
    letters,
    getBinHandler,
    readyResponses,
    monitoring,
  });
  for (const plugin of [notices, ...routes, ...(options.plugins?.(context) ?? [])]) app.use(plugin);
  app.all("/api", throwNotFound).all("/api/*", throwNotFound);
  const stop = async () => void (await Promise.all(stopCallbacks.map((end) => end())));
  return { audit: accounts.audit, app, stop };
}

/** Creates the functions that find a request's sender and check its encryption, also behind trusted proxies. */
function createConnectionChecks(
  app: AnyElysia,
  { siteUrl, trustedProxies = [], plainLogin }: Config,
) {
  const isProxy = createAddressMatcher(trustedProxies);
  const getSocketAddress = createSocketAddressLookup(() => app.server);
  const untrustedProxyCheck = createUntrustedProxyCheck();
  const identifyVisitor = createVisitorLookup(
    getSocketAddress,
    createClientAddressLookup(isProxy, untrustedProxyCheck.reportUntrusted),
  );
  const assertSecureConnection = createInsecureLoginCheck({
    siteUrl,
    isInsecureLoginPermitted: plainLogin,
    isProxy,
    getSocketAddress,
  });
  return { getSocketAddress, untrustedProxyCheck, identifyVisitor, assertSecureConnection };
}

const createNoticeSources = (
  { store, library, config, trustedClock, findNotices }: AppOptions,
  { backups, mail, mailingList }: AppContext,
): NoticeSource[] => [
  createWritesNoticeSource(
    () => store.checkHealth(),
    () => library.checkHealth(),
  ),
  findNotices ?? (() => []),
  backups.findNotices,
  mail.findNotices,
  mailingList.findNotices,
  createDiskNotices(listDiskFolders(config)).findNotices,
  () => createQuotaNotices(store),
  () => createListNotices(store),
  ...(trustedClock ? [trustedClock.findNotices] : []),
];

/** Adds the checks that every request must pass, and formats all refusals in the same way. */
function guardRequests(
  app: AnyElysia,
  { store, sessions, sessionCookie, createRateLimit }: AppContext,
  options: Omit<
    RequestHandlerOptions,
    "hasSessionCookie" | "refusedBodyLimit" | "getTranslator" | "getLanguage" | "requestIds"
  >,
): void {
  const requestIds = createRequestIds();
  const getLanguage = () => store.of(entities.site).read().value.language;
  const getTranslator = createTranslatorLookup(getLanguage);
  const isLoggedIn = async (request: Request) =>
    (await sessions.findUser(sessionCookie.getToken(request) ?? "")) !== undefined;
  const refusedBodyLimit = createRefusedBodyLimit({
    createRateLimit,
    identifyVisitor: options.identifyVisitor,
    isLoggedIn,
  });
  const hasSessionCookie = (request: Request) => sessionCookie.getToken(request) !== undefined;
  installRequestHandler(app, {
    ...options,
    hasSessionCookie,
    refusedBodyLimit,
    getTranslator,
    getLanguage,
    requestIds,
  });
  app.onError(({ error, code, request }) =>
    createErrorResponse(error, code, {
      id: requestIds.getId(request),
      reportError: options.reportError,
      translate: getTranslator(request),
    }),
  );
}

const throwNotFound = () => {
  throw notFound();
};
