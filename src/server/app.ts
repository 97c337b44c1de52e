/** The composition root: the store and the settings in, the application out. */
import { type AnyElysia, Elysia } from "elysia";
import { accounts, type Accounts } from "./accounts/accounts.ts";
import { loginCalls } from "./accounts/loginCalls.ts";
import { ownAccountCalls } from "./accounts/ownAccountCalls.ts";
import type { Setup } from "./accounts/setup.ts";
import { setupCalls } from "./accounts/setupCalls.ts";
import { exportRoute } from "./backup/exportRoute.ts";
import type { Config } from "./config.ts";
import { sweepOrphans } from "./content/cascade.ts";
import { cleanHtml } from "./content/cleanHtml.ts";
import { contentCalls } from "./content/contentCalls.ts";
import { forms, type Forms } from "./forms/forms.ts";
import type { Submission } from "./forms/submissionRecords.ts";
import { clientAddress } from "./http/clientAddress.ts";
import type { Clock } from "./http/clock.ts";
import { answerTo, type ReportFault, reportToLog } from "./http/errors.ts";
import { frontDoor } from "./http/frontDoor.ts";
import { healthCall } from "./http/healthCall.ts";
import type { Log } from "./http/log.ts";
import { rateLimits, type RateLimits } from "./http/rateLimit.ts";
import { notFound } from "./http/refusal.ts";
import { whoCalls } from "./http/visitorPlugin.ts";
import { pages, type PagesOptions } from "./pages/pages.ts";
import type { WebBuild } from "./pages/webBuild.ts";
import { peopleCalls } from "./people/peopleCalls.ts";
import { Bin } from "./storage/bin.ts";
import type { Store } from "./storage/store.ts";
import type { Subscription } from "./subscriptions/mailingList.ts";
import { ownerListCalls } from "./subscriptions/ownerCalls.ts";
import { publicListCalls } from "./subscriptions/publicCalls.ts";
import { uploadCalls } from "./uploads/uploadCalls.ts";
import type { UploadLibrary } from "./uploads/uploadLibrary.ts";

/** What capabilities that plug in are given. */
export interface Parts extends Accounts {
  readonly config: Config;
  readonly rateLimit: RateLimits;
  readonly forms: Forms;
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
  const deleted = {
    submissions: new Bin<Submission>(clock),
    subscriptions: new Bin<Subscription>(clock),
  };
  const rateLimit = rateLimits(clock, limited);
  const enquiries = await forms({ ...shared, rateLimit }, deleted.submissions);
  const parts: Parts = { ...shared, config, rateLimit, forms: enquiries };

  app
    .wrap(frontDoor({ siteUrl, who, limited, log, report }) as never)
    .onError(({ error, code }) => answerTo(error, code, report))
    .use(healthCall(store, clock))
    .use(loginCalls(parts))
    .use(ownAccountCalls(parts))
    .use(setupCalls(parts, options.setup))
    .use(contentCalls(parts))
    .use(enquiries.calls)
    .use(publicListCalls(parts))
    .use(ownerListCalls({ ...parts, deleted: deleted.subscriptions }))
    .use(peopleCalls({ ...parts, deleted }))
    .use(uploadCalls({ ...parts, library: options.library }))
    .use(exportRoute({ data: config.dataDir, uploads: config.uploadsDir }, parts.guard))
    .use(pages(pagesOptions(parts, options.build, log)));
  for (const plugin of options.plugins?.(parts) ?? []) app.use(plugin);
  return app.all("/api", nothingHere).all("/api/*", nothingHere);
}

function pagesOptions(parts: Parts, build: WebBuild, log: Log): PagesOptions {
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
