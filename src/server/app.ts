/** The composition root: the store and the settings in, the application out. */
import { type AnyElysia, Elysia } from "elysia";
import { accounts, type Accounts } from "./accounts/accounts.ts";
import { loginRoutes, ownAccountRoutes } from "./accounts/routes.ts";
import { type Setup, setupRoutes } from "./accounts/setup.ts";
import { exportRoute } from "./backup/exportRoute.ts";
import type { Config } from "./config.ts";
import { cleanHtml } from "./content/html.ts";
import { sweepOrphans } from "./content/parents.ts";
import { contentRoutes } from "./content/routes.ts";
import { notFound } from "./errors.ts";
import type { Clock } from "./http/clock.ts";
import { type ReportFault, reportToLog, responseTo } from "./http/errors.ts";
import { frontDoor, type Log } from "./http/frontDoor.ts";
import { healthRoute } from "./http/health.ts";
import { rateLimits, type RateLimits } from "./http/limits.ts";
import { clientAddress, whoCalls } from "./http/visitor.ts";
import { pages, type PagesContext } from "./pages/pages.ts";
import type { WebBuild } from "./pages/webBuild.ts";
import { Bin } from "./storage/bin.ts";
import type { Store } from "./storage/store.ts";
import type { UploadLibrary } from "./uploads/uploadLibrary.ts";
import { uploadRoutes } from "./uploads/uploadRoutes.ts";
import { enquiries, type Enquiries } from "./visitors/enquiries.ts";
import { mailingListRoutes, type Subscription } from "./visitors/mailingList.ts";
import { personRoutes } from "./visitors/person.ts";
import { subscriptionRoutes } from "./visitors/records.ts";
import type { Submission } from "./visitors/submissions.ts";

/** What capabilities that plug in are given. */
export interface Parts extends Accounts {
  readonly config: Config;
  readonly rateLimit: RateLimits;
  readonly forms: Enquiries;
}

/** What an application is made of. */
export interface AppOptions {
  readonly store: Store;
  readonly config: Config;
  /** The owner's pictures. */
  readonly library: UploadLibrary;
  /** What `build.ts` made for browsers. */
  readonly build: WebBuild;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** One line per request; default: none. */
  readonly log?: Log;
  /** Failures of the program's own; default: standard error. */
  readonly report?: ReportFault;
  /** The open setup of a site without an owner. */
  readonly setup?: Setup | undefined;
  /** Whatever else is to be there. */
  readonly plugins?: (parts: Parts) => readonly AnyElysia[];
}

/** Deleted records are kept whole, so their number is bounded. */
const MOST_IN_BIN = 100;

/** Puts the application together. The caller listens, with `LISTENING` of `http/frontDoor.ts`. */
export async function createApp(options: AppOptions): Promise<AnyElysia> {
  const { store, config, clock = Date.now, log = () => {}, report = reportToLog } = options;
  const { siteUrl, rateLimit: limited } = config;
  // Bun's own router is passed by, so that every request, known or not, goes the same way.
  const app = new Elysia({ systemRouter: false });
  const who = whoCalls(() => app.server, clientAddress(config.trustedProxies ?? []));
  const https = siteUrl?.startsWith("https:") ?? false;
  await sweepOrphans(store);
  const shared = await accounts({ store, clock, https, limited, who });
  const bin = { time: { now: clock }, most: MOST_IN_BIN };
  const deleted = {
    submissions: new Bin<Submission>(bin),
    subscriptions: new Bin<Subscription>(bin),
  };
  const rateLimit = rateLimits(clock, limited);
  const forms = await enquiries({ ...shared, rateLimit }, deleted.submissions);
  const parts: Parts = { ...shared, config, rateLimit, forms };

  app
    .wrap(frontDoor({ siteUrl, who, limited, log, report }) as never)
    .onError(({ error, code }) => responseTo(error, code, report))
    .use(healthRoute(store, clock))
    .use(loginRoutes(parts))
    .use(ownAccountRoutes(parts))
    .use(setupRoutes(parts, options.setup))
    .use(contentRoutes(parts))
    .use(forms.calls)
    .use(mailingListRoutes(parts))
    .use(subscriptionRoutes({ ...parts, deleted: deleted.subscriptions }))
    .use(personRoutes({ ...parts, deleted }))
    .use(uploadRoutes({ ...parts, library: options.library }))
    .use(exportRoute({ data: store, uploads: config.uploadsDir }, parts.guard))
    .use(pages(pagesContext(parts, options.build, log)));
  for (const plugin of options.plugins?.(parts) ?? []) app.use(plugin);
  return app.all("/api", nothingHere).all("/api/*", nothingHere);
}

function pagesContext(parts: Parts, build: WebBuild, log: Log): PagesContext {
  const { store, config, clock, visitors, forms } = parts;
  return {
    store,
    build,
    siteUrl: config.siteUrl ?? null,
    fontProvider: config.fontProvider ?? "/fonts",
    cleanHtml,
    retentionDays: config.retentionDays,
    log,
    now: () => new Date(clock()),
    visitor: visitors,
    takeEnquiry: forms.handlePlainEnquiry,
  };
}

const nothingHere = () => {
  throw notFound();
};
