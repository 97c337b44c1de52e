/** Assembles all routes of the application. */
import { createSiteLook } from "./pages/siteLook.ts";
import { type AnyElysia } from "elysia";
import { entities } from "../schema/index.ts";
import type { Accounts } from "./accounts/accounts.ts";
import type { Passwords } from "./accounts/passwords.ts";
import { createAuditRoutes } from "./accounts/auditRoutes.ts";
import { createPasswordResetRoutes, type PasswordLinks } from "./accounts/passwordReset.ts";
import { createLoginRoutes } from "./accounts/login.ts";
import { createAccountRoutes } from "./accounts/accountRoutes.ts";
import { createJoinRoutes } from "./accounts/invitations.ts";
import { createUserRoutes } from "./accounts/userRoutes.ts";
import { createSecurityRoutes } from "./accounts/securityRoutes.ts";
import { hasOwnerOrContent, type SetupLink, createSetupRoutes } from "./accounts/setup.ts";
import { createExportRoute } from "./backup/exportRoute.ts";
import { createBackupContentRoutes } from "./backup/backupContentRoutes.ts";
import { createBackupRoutes } from "./backup/repository/backupRoutes.ts";
import { type BackupScheduler } from "./backup/repository/backupScheduler.ts";
import { createBinRoutes } from "./content/binRoutes.ts";
import type { PartRestoreTarget } from "./backup/restorePart.ts";
import { createHistoryRoutes, restoreValues } from "./content/history.ts";
import { sanitizeHtml } from "./content/sanitizeHtml.ts";
import { createContentRoutes } from "./content/routes.ts";
import { type BinCleanup } from "./content/binCleanup.ts";
import { createBinHandlerLookup } from "./binHandlers.ts";
import { createMonitoringRoutes, type MonitoringSources } from "./monitoring.ts";
import { type ReadyResponses } from "./http/readyResponses.ts";
import { type CreateRateLimit } from "./http/rateLimits.ts";
import { type ReportError } from "./http/requestLog.ts";
import { type NewsletterServices } from "./newsletter/openNewsletter.ts";
import { type Messaging } from "./messaging.ts";
import { createCallRoutes } from "./bookings/callRoutes.ts";
import { createReplyRoutes } from "./enquiries/replyRoutes.ts";
import { createPushRoutes } from "./notifications/pushRoutes.ts";
import { createWebhookRoutes, createWebhookState } from "./notifications/webhookRoutes.ts";
import { createMailRoutes } from "./mail/mailRoutes.ts";
import { createCallsCalendarRoutes } from "./bookings/callsCalendarRoutes.ts";
import { createBookingPageRoutes } from "./bookings/bookingPageRoutes.ts";
import { type SessionMailLimits, createSessionMailLimits } from "./mail/sessionMailLimits.ts";
import {
  createTestimonialRequestLinks,
  createTestimonialRequestRoutes,
} from "./testimonials/testimonialRequestRoutes.ts";
import { createTestimonialPageRoutes } from "./testimonials/testimonialPageRoutes.ts";
import { createPageRoutes, type PagesContext } from "./pages/pageRoutes.ts";
import type { WebBuild } from "./pages/webBuild.ts";
import type { Clock } from "./shared/clock.ts";
import type { Config } from "./shared/config.ts";
import { isRemoteDatabase } from "./shared/databaseUrl.ts";
import type { Log } from "./shared/log.ts";
import type { NoticeSource } from "./shared/notice.ts";
import { conflict } from "./shared/errors.ts";
import type { Bin } from "./bin/bin.ts";
import type { Engine } from "./storage/engine.ts";
import type { PictureStorage } from "./storage/pictures/pictureStorage.ts";
import type { TrustedClock } from "./upkeep/trustedClock.ts";
import type { Store } from "./storage/store.ts";
import type { UploadLibrary } from "./uploads/uploadLibrary.ts";
import { createUploadRoutes } from "./uploads/uploadRoutes.ts";
import { type Enquiries } from "./enquiries/enquiries.ts";
import { createMailingListRoutes } from "./newsletter/subscriptions.ts";
import { createPersonalDataRoutes } from "./visitors/personalData.ts";
import { removeErasedItems } from "./visitors/personalItems.ts";
import { createRecordRoutes } from "./visitors/recordRoutes.ts";
import { type VisitorQuota } from "./visitors/visitorQuota.ts";

export interface AppContext extends Accounts {
  readonly config: Config;
  readonly createRateLimit: CreateRateLimit;
  readonly bin: Bin;
  readonly visitorQuota: VisitorQuota;
  readonly enquiries: Enquiries;
  readonly log: Log;
  readonly backups: BackupScheduler;
  /** Permanently deletes expired items in the bin now. */
  readonly sweep: BinCleanup["sweep"];
  /** Registers a function to call when the application stops, for example to end a timer. */
  readonly onStop: (end: () => unknown) => void;
  readonly mail: Messaging;
  readonly mailingList: NewsletterServices["mailingList"];
}

export interface AppOptions {
  readonly store: Store;
  readonly bin: Bin;
  readonly config: Config;
  /** Default: an engine for the data folder. */
  readonly engine?: Engine;
  readonly library: UploadLibrary;
  /** The storage of uploaded files. Default: the uploads folder. */
  readonly pictures?: PictureStorage;
  /** The clock for work that can't be undone. Default: `clock`, which is then always trusted. */
  readonly trustedClock?: TrustedClock;
  /** The browsers' files that `build.ts` wrote. */
  readonly build: WebBuild;
  readonly clock?: Clock;
  /** Logs a line. Default: nothing is logged. */
  readonly log?: Log;
  /** Logs requests. Default: `log`. */
  readonly logRequest?: Log;
  /** Reports an error of the program. Default: writes it to standard error. */
  readonly reportError?: ReportError;
  readonly setup?: SetupLink | undefined;
  /** The password hashing. Default: at the full cost. */
  readonly passwords?: Passwords;
  /** Restores a whole archive, and restarts the site. Default: throws a 409. */
  readonly restore?: (archive: string) => Promise<void>;
  /** Default: a scheduler that makes backups only on request. */
  readonly backups?: BackupScheduler;
  /** Default: messages are queued but not sent, since a copy of a site must not write to anybody. */
  readonly mail?: Messaging;
  /** Default: the newsletter, which sends through `mail`. */
  readonly letters?: NewsletterServices;
  /** Notices from outside the application, such as those about its certificate. */
  readonly findNotices?: NoticeSource;
  readonly plugins?: (context: AppContext) => readonly AnyElysia[];
}

interface RouteDependencies {
  readonly context: AppContext;
  readonly options: AppOptions;
  readonly engine: Engine;
  readonly pictures: PictureStorage;
  readonly passwordLinks: PasswordLinks;
  readonly letters: NewsletterServices;
  readonly getBinHandler: ReturnType<typeof createBinHandlerLookup>;
  readonly readyResponses: ReadyResponses;
  readonly monitoring: MonitoringSources;
}

export async function createRoutes(dependencies: RouteDependencies): Promise<AnyElysia[]> {
  const { context, options, passwordLinks, letters, readyResponses } = dependencies;
  const { setup } = options;
  const { mail, enquiries } = context;
  const messagingContext = {
    ...context,
    sessionMailLimits: createSessionMailLimits({
      ...context,
      listOwnerAddresses: mail.listOwnerAddresses,
    }),
  };
  const pagesContext = createPagesContext(context, options, readyResponses);
  const getPageBranding = () => ({ ...mail.getBranding(), look: createSiteLook(pagesContext) });
  const publicPageContext = {
    ...context,
    getSite: getPageBranding,
    rateLimits: enquiries.rateLimits,
  };
  const testimonialLinks = createTestimonialRequestLinks(mail.linkKeys.getLinkSecret);
  return [
    createMonitoringRoutes({ ...context, ...dependencies.monitoring }),
    ...createLoginAndUserRoutes(context, passwordLinks, setup),
    createContentRoutes(context),
    createHistoryRoutes(context),
    enquiries.routes,
    createMailingListRoutes(context),
    ...letters.createRoutes({
      ...messagingContext,
      cleanHtml: sanitizeHtml,
      getSite: getPageBranding,
    }),
    createTestimonialPageRoutes({ ...publicPageContext, links: testimonialLinks }),
    createTestimonialRequestRoutes({ ...messagingContext, links: testimonialLinks }),
    createRecordRoutes(entities.formSubmissions, {
      ...context,
      deleteCascading: mail.calls.bookings.deleteEnquiry,
    }),
    createRecordRoutes(entities.emailSubscriptions, context),
    createPersonalDataRoutes(context),
    createBookingPageRoutes({ ...publicPageContext, calls: mail.calls }),
    createCallsCalendarRoutes({ ...context, getSiteUrl: () => mail.getBranding().siteUrl }),
    ...createFileRoutes(dependencies),
    ...createMessagingRoutes(messagingContext),
    await createPageRoutes(pagesContext),
  ];
}

function createFileRoutes({
  context,
  options,
  engine,
  pictures,
  getBinHandler,
  readyResponses,
}: RouteDependencies): AnyElysia[] {
  const { store, bin, library, restore: stageFullRestore = throwNotServing } = options;
  const { backups } = context;
  const putValues: PartRestoreTarget["putValues"] = async (values, lastSeenErasureId) => {
    const erasureRevision = store.of(entities.erasureMark).read().revision;
    return restoreValues(
      restoreTarget,
      await removeErasedItems(store, values, lastSeenErasureId),
      erasureRevision,
    );
  };
  const restoreTarget = { store, bin, library, clock: context.clock, putValues };
  return [
    createUploadRoutes({ ...context, library, readyResponses }),
    createBinRoutes({
      ...context,
      getBinHandler,
      findThumbnail: (upload) => library.findThumbnail(upload),
    }),
    createExportRoute({ data: engine, uploads: pictures }, context),
    createBackupRoutes(context),
    createBackupContentRoutes({
      ...context,
      getArchivePath: (id) => backups.getArchivePath(id),
      target: restoreTarget,
      stageFullRestore,
    }),
  ];
}

function createLoginAndUserRoutes(
  context: AppContext,
  passwordLinks: PasswordLinks,
  setup: SetupLink | undefined,
): AnyElysia[] {
  return [
    createLoginRoutes(context),
    createPasswordResetRoutes({ ...context, passwordLinks, mailer: context.mail.accountMail }),
    createAccountRoutes(context),
    createSecurityRoutes(context),
    createUserRoutes(context),
    createJoinRoutes(context),
    createAuditRoutes(context),
    createSetupRoutes(context, setup),
  ];
}

function createMessagingRoutes(
  context: AppContext & { readonly sessionMailLimits: SessionMailLimits },
): AnyElysia[] {
  const { mail } = context;
  return [
    createReplyRoutes(context),
    createCallRoutes(context),
    createMailRoutes({ ...context, getWebhookState: () => createWebhookState(mail.webhook) }),
    createWebhookRoutes({ ...context, webhook: mail.webhook }),
    createPushRoutes({ ...context, push: mail.push }),
  ];
}

function createPagesContext(
  context: AppContext,
  { build, library }: AppOptions,
  readyResponses: ReadyResponses,
): PagesContext {
  const { config, clock, visitorPlugin, enquiries } = context;
  return {
    ...context,
    build,
    readyResponses,
    siteUrl: config.siteUrl ?? null,
    fontProvider: config.fontProvider ?? "/fonts",
    pictureOrigin: config.uploadsPublicUrl,
    isDataRemote: config.databaseUrl !== undefined && isRemoteDatabase(config.databaseUrl),
    areBackupsRemote: config.backupS3 !== undefined,
    cleanHtml: sanitizeHtml,
    findPictureFile: (name) => library.findFile(name),
    retentionDays: config.retentionDays,
    now: clock,
    hasOwnerOrContent: () => hasOwnerOrContent(context.store),
    visitorPlugin,
    handleEnquiryPost: enquiries.handleNoScriptPost,
    countEnquiryPost: enquiries.rateLimits.countRender,
    computeMaxEnquiryBytes: enquiries.computeMaxBytes,
  };
}

const throwNotServing = () =>
  Promise.reject(conflict("The whole site can be restored only while it is running."));
