/** The composition root: the store and the settings in, the application out. */
import { type AnyElysia, Elysia } from "elysia";
import { entities } from "../schema/index.ts";
import { accounts, type Accounts, type OnNewBrowser } from "./accounts/accounts.ts";
import { proofRoutes } from "./accounts/proof.ts";
import { auditRoutes } from "./accounts/auditRoutes.ts";
import { forgottenRoutes, passwordLinks } from "./accounts/forgotten.ts";
import { loginRoutes } from "./accounts/login.ts";
import { ownAccountRoutes } from "./accounts/ownAccount.ts";
import { joinRoutes } from "./accounts/invitations.ts";
import { peopleRoutes } from "./accounts/people.ts";
import { securityRoutes } from "./accounts/security.ts";
import { type Setup, setupRoutes } from "./accounts/setup.ts";
import { exportRoute } from "./backup/exportRoute.ts";
import { insideRoutes } from "./backup/insideRoutes.ts";
import { backupRoutes } from "./backup/kept/backupRoutes.ts";
import { type Backups, backupsOf } from "./backup/kept/backups.ts";
import { binRoutes } from "./content/bin.ts";
import { historyRoutes, putValues } from "./content/history.ts";
import { cleanHtml } from "./content/html.ts";
import { contentRoutes } from "./content/routes.ts";
import { keepSweeping, type Sweeping } from "./content/sweeping.ts";
import { deletables } from "./deletables.ts";
import { reportToLog, responseTo } from "./http/errors.ts";
import { frontDoor } from "./http/frontDoor.ts";
import { healthRoute } from "./http/health.ts";
import { readyAnswers, type ReadyAnswers } from "./http/readyAnswers.ts";
import { rateLimits, type RateLimits, visits } from "./http/limits.ts";
import { type ReportFault, requestIds } from "./http/requestLog.ts";
import { encryptedAt } from "./http/securityHeaders.ts";
import { plainLineCheck } from "./http/plainLine.ts";
import { clientAddress, isAmong, socketAddress, whoCalls } from "./http/visitor.ts";
import { forgottenProxy } from "./http/forgottenProxy.ts";
import { noticeRoutes } from "./accounts/notices.ts";
import { type Letters, openLetters } from "./post/letters/letters.ts";
import { type Mail, openMail } from "./post/mail.ts";
import { mailRoutes } from "./post/mailRoutes.ts";
import { sessionMail } from "./post/sessionMail.ts";
import { pages, type PagesContext } from "./pages/pages.ts";
import type { WebBuild } from "./pages/webBuild.ts";
import type { Clock } from "./shared/clock.ts";
import type { Config } from "./shared/config.ts";
import { isElsewhere } from "./shared/databaseUrl.ts";
import { dataKeyOf } from "./shared/dataKey.ts";
import type { Log } from "./shared/log.ts";
import type { NoticeSource } from "./shared/notice.ts";
import { conflict, notFound } from "./shared/errors.ts";
import type { Bin } from "./bin/bin.ts";
import type { Engine } from "./storage/engine.ts";
import { folderEngine } from "./storage/files/folderEngine.ts";
import { folderPlace } from "./storage/pictures/folderPlace.ts";
import type { PicturePlace } from "./storage/pictures/picturePlace.ts";
import { diskNotices, listNotices } from "./upkeep/limitNotices.ts";
import type { SiteTime } from "./upkeep/siteTime.ts";
import type { Store } from "./storage/store.ts";
import type { UploadLibrary } from "./uploads/uploadLibrary.ts";
import { watchPictures } from "./uploads/pictureWatch.ts";
import { uploadRoutes } from "./uploads/uploadRoutes.ts";
import { enquiries, type Enquiries } from "./visitors/enquiries.ts";
import { mailingListRoutes } from "./visitors/mailingList.ts";
import { keepErased, personRoutes } from "./visitors/person.ts";
import { recordRoutes } from "./visitors/records.ts";
import { roomNotices, visitorsRoom, type VisitorsRoom } from "./visitors/room.ts";

export interface App {
  /** What is listened for. */
  readonly app: AnyElysia;
  /** Ends what it does by itself, whoever listened for it; resolves when what is under way of that is over. */
  stop(): Promise<void>;
}

export interface AppContext extends Accounts {
  readonly config: Config;
  readonly rateLimit: RateLimits;
  readonly bin: Bin;
  readonly room: VisitorsRoom;
  readonly forms: Enquiries;
  readonly log: Log;
  readonly backups: Backups;
  /** Has go for good what is due in the bin. */
  readonly sweep: Sweeping["sweep"];
  /** Called when the application ends: by whoever has a timer. */
  readonly onStop: (end: () => unknown) => void;
  readonly mail: Mail;
  readonly mailingList: Letters["mailingList"];
}

export interface AppOptions {
  readonly store: Store;
  readonly bin: Bin;
  readonly config: Config;
  /** What keeps the store; default: the data folder's. */
  readonly engine?: Engine;
  readonly library: UploadLibrary;
  /** What keeps the library's files; default: the uploads folder. */
  readonly pictures?: PicturePlace;
  /** Default: the clock is believed whatever it says. */
  readonly time?: SiteTime;
  /** What `build.ts` made for browsers. */
  readonly build: WebBuild;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** What is worth a line; default: none. */
  readonly log?: Log;
  /** One line for each request; default: as `log`. */
  readonly logRequest?: Log;
  /** Failures of the program's own; default: standard error. */
  readonly report?: ReportFault;
  readonly setup?: Setup | undefined;
  /** Brings back a whole archive, which starts the site anew; default: refused. */
  readonly restore?: (archive: string) => Promise<void>;
  /** Default: those of these settings, made when an owner asks. */
  readonly backups?: Backups;
  /** Default: one that sends nothing, since a copy of a site must not write to anybody. */
  readonly mail?: Mail;
  /** Default: as `mail`. */
  readonly letters?: Letters;
  /** Of what stands around the application, such as its certificate. */
  readonly notices?: NoticeSource;
  /** Further routes, for tests. */
  readonly plugins?: (context: AppContext) => readonly AnyElysia[];
}

/** Puts the application together. The caller listens, with `LISTENING` of `http/listening.ts`. */
export async function createApp(options: AppOptions): Promise<App> {
  const { store, bin, library, config, time } = options;
  const { clock = Date.now, log = () => {}, report = reportToLog } = options;
  const { logRequest = log } = options;
  const { siteUrl, rateLimit: limited } = config;
  const engine = options.engine ?? folderEngine(config.dataDir);
  const pictures = options.pictures ?? folderPlace(config.uploadsDir);
  // Bun's own router is bypassed, so that every request, known or not, takes the same way.
  const app = new Elysia({ systemRouter: false });
  const isProxy = isAmong(config.trustedProxies ?? []);
  const socketOf = socketAddress(() => app.server);
  const proxies = forgottenProxy();
  const who = whoCalls(socketOf, clientAddress(isProxy, proxies.unbelieved));
  const checkLine = plainLineCheck({ siteUrl, allowed: config.plainLogin, isProxy, socketOf });
  const deletable = deletables({ store, bin, library, log });
  const endings: (() => unknown)[] = [];
  const onStop: AppContext["onStop"] = (end) => void endings.push(end);
  const { sweep, stop: stopSweeping } = keepSweeping({
    bin,
    remove: (binned) => deletable(binned.entity).remove(binned),
    lookAtTime: time?.look,
    log,
  });
  onStop(stopSweeping);
  const watch = watchPictures({ store, pictures, log });
  onStop(watch.stop);
  library.measure().catch((error: unknown) => log(`uploads: not measured, ${String(error)}`));
  const links = passwordLinks(store, await store.secret(), clock);
  const unsent = { store, config, clock, log, passwordLink: links, sends: false };
  const mail = options.mail ?? (await openMail(unsent));
  const letters = options.letters ?? (await openLetters({ store, bin, clock, log, mail }));
  if (!options.letters) onStop(letters.stop);
  const onNewBrowser: OnNewBrowser = (...login) =>
    void mail.accounts.tellOfLogin(...login).catch(report);
  const known = { store, clock, believed: time?.now, siteUrl, limited, who, log, onNewBrowser };
  const shared = await accounts({ ...known, dataKey: dataKeyOf(config.dataKey) });
  const visited = visits(clock);
  const ids = requestIds();
  const encrypted = encryptedAt(config);
  const ready = readyAnswers(siteUrl, encrypted);
  const door = { siteUrl, encrypted, ready, who, checkLine, limited, visits: visited };
  const rateLimit = rateLimits({
    clock,
    enabled: limited,
    visits: visited,
    instances: store.instances,
  });
  await keepErased({ store, bin, audit: shared.audit, log });
  const room = visitorsRoom(store, rateLimit);
  const forms = await enquiries({ ...shared, rateLimit, room, storeWith: mail.storeEnquiry });
  const backups = options.backups ?? backupsOf({ store, config, clock, log });
  const bySessions = sessionMail({ ...shared, rateLimit, owners: mail.owners });
  const own = { config, rateLimit, bin, room, forms, log, sweep, onStop, backups, mail };
  const context: AppContext = { ...shared, ...own, mailingList: letters.mailingList };

  app
    .wrap(frontDoor({ ...door, ids, log: logRequest, report }) as never)
    .onError(({ error, code, request }) => responseTo(error, code, { id: ids.of(request), report }))
    // GET /api/notices
    .use(
      noticeRoutes({
        ...context,
        tell: mail.tellOfNotices,
        sources: [
          options.notices ?? (() => []),
          backups.notices,
          mail.notices,
          letters.mailingList.notices,
          proxies.notices,
          diskNotices({ data: config.dataDir, pictures: config.uploadsDir }).notices,
          watch.notices,
          () => roomNotices(store),
          () => listNotices(store),
          ...(time ? [time.notices] : []),
        ],
      }),
    )
    // GET /api/health
    .use(healthRoute([() => store.health(), () => options.library.health()], clock))
    // POST /api/auth/login, /logout; GET /api/auth/me
    .use(loginRoutes(context))
    // GET, POST /api/auth/forgotten; POST …/link, …/password
    .use(forgottenRoutes({ ...context, links, post: mail.accounts }))
    // POST /api/auth/password; GET, DELETE /api/auth/sessions, DELETE …/{id}; GET /api/auth/logins, POST …/seen
    .use(ownAccountRoutes(context))
    // GET, POST /api/auth/proof
    .use(proofRoutes(context))
    // GET /api/auth/security; what one logs in with: …/authenticator, /recovery-codes, /passkeys
    .use(securityRoutes(context))
    // GET, PUT, DELETE /api/users; GET, POST, DELETE /api/invitations; POST /api/join
    .use(peopleRoutes(context))
    .use(joinRoutes(context))
    // GET /api/audit-log
    .use(auditRoutes(context))
    // GET, POST /api/setup
    .use(setupRoutes(context, options.setup))
    // /api/{name} of every singleton and collection
    .use(contentRoutes(context))
    // GET /api/history/{name}, /{revision}; POST …/restore
    .use(historyRoutes(context))
    // GET /api/filling-time; POST /api/form-submissions; what the owner marks and counts of them
    .use(forms.routes)
    // POST /api/email-subscriptions, /unsubscribe
    .use(mailingListRoutes(context))
    // GET, POST /confirm-subscription, /unsubscribe, /letters; /api/letters
    .use(letters.routes({ ...context, sessionMail: bySessions, cleanHtml }))
    // GET, DELETE, POST …/search
    .use(recordRoutes(entities.formSubmissions, context))
    .use(recordRoutes(entities.emailSubscriptions, context))
    // POST /api/people/find, /export, /erase
    .use(personRoutes(context))
    // GET /api/uploads, POST /api/upload, DELETE; GET /uploads/{filename}
    .use(uploadRoutes({ ...context, library, ready }))
    // GET, DELETE /api/bin; POST /api/bin/{id}/restore
    .use(binRoutes({ ...context, deletable, pictureOf: library.findBinned }))
    // GET /api/export
    .use(exportRoute({ data: engine, uploads: pictures }, context))
    // GET, POST /api/form-submissions/{id}/replies; GET, POST, DELETE /api/mail; POST …/test; GET …/domain; POST …/messages/{id}/retry
    .use(mailRoutes({ ...context, sessionMail: bySessions }))
    // GET, POST /api/backups; POST …/rehearsal; GET …/{id}
    .use(backupRoutes(context))
    // GET /api/backups/{id}/inside, …/pictures/{picture}; POST …/restore
    .use(
      insideRoutes({
        ...context,
        open: backups.open,
        engine,
        site: {
          store,
          bin,
          library,
          putValues: (values) => putValues(bin, values),
        },
        everything: options.restore ?? notServing,
      }),
    )
    // The pages, GET /api/pictures, built files, fonts, /sitemap.xml and the like
    .use(await pages(pagesContext(context, options, ready)));
  for (const plugin of options.plugins?.(context) ?? []) app.use(plugin);
  return {
    app: app.all("/api", nothingHere).all("/api/*", nothingHere),
    stop: async () => void (await Promise.all(endings.map((end) => end()))),
  };
}

function pagesContext(
  context: AppContext,
  { build, library }: AppOptions,
  ready: ReadyAnswers,
): PagesContext {
  const { config, clock, visitors, forms } = context;
  return {
    ...context,
    build,
    ready,
    siteUrl: config.siteUrl ?? null,
    fontProvider: config.fontProvider ?? "/fonts",
    picturesFrom: config.uploadsPublicUrl,
    isDataElsewhere: config.databaseUrl !== undefined && isElsewhere(config.databaseUrl),
    areBackupsElsewhere: config.backupS3 !== undefined,
    cleanHtml,
    pictureFile: library.find,
    retentionDays: config.retentionDays,
    now: () => new Date(clock()),
    visitor: visitors,
    takeEnquiry: forms.handlePlainEnquiry,
    largestEnquiry: forms.largest,
  };
}

const notServing = () =>
  Promise.reject(conflict("Only a site that is served can bring back everything."));

const nothingHere = () => {
  throw notFound();
};
