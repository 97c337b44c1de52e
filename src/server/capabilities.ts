/** Everything that plugs into the application: pictures, enquiries, mailing list, people, export, pages. */
import type { AnyElysia } from "elysia";
import type { Parts } from "./app.ts";
import { exportCall } from "./backup/exportCall.ts";
import { cleanHtml } from "./content/cleanHtml.ts";
import { fillingTime } from "./forms/fillingTime.ts";
import { floodGuards } from "./forms/floodGuards.ts";
import { publicFormCalls } from "./forms/publicCalls.ts";
import { reviewCalls } from "./forms/reviewCalls.ts";
import type { Submission } from "./forms/submissionRecords.ts";
import { pages } from "./pages/pages.ts";
import type { WebBuild } from "./pages/webBuild.ts";
import { peopleCalls } from "./people/peopleCalls.ts";
import { RecentlyDeleted } from "./storage/recentlyDeleted.ts";
import type { Subscription } from "./subscriptions/mailingList.ts";
import { ownerListCalls } from "./subscriptions/ownerCalls.ts";
import { publicListCalls } from "./subscriptions/publicCalls.ts";
import { uploadCalls } from "./uploads/uploadCalls.ts";
import type { UploadLibrary } from "./uploads/uploadLibrary.ts";

/** What the capabilities need beside the shared parts. */
export interface CapabilityOptions {
  readonly library: UploadLibrary;
  readonly build: WebBuild;
  readonly secret: Uint8Array;
  readonly log: (line: string) => void;
}

/** The plugins of a whole site, for `createApp`. */
export function capabilities(options: CapabilityOptions): (parts: Parts) => readonly AnyElysia[] {
  return (parts) => {
    const { store, guard, visitors: visitor, clock, config, rateLimit: limits } = parts;
    const filling = fillingTime(options.secret, clock);
    const guards = floodGuards(limits, filling);
    const undo = {
      submissions: new RecentlyDeleted<Submission>(clock),
      subscriptions: new RecentlyDeleted<Subscription>(clock),
    };
    const folders = { data: config.dataDir, uploads: config.uploadsDir };
    return [
      uploadCalls({ store, guard, library: options.library }),
      publicFormCalls({ store, visitor, guards, filling }),
      reviewCalls({ store, guard, undo: undo.submissions }),
      publicListCalls({ store, visitor, limits }),
      ownerListCalls({ store, guard, undo: undo.subscriptions }),
      peopleCalls({ store, guard, undo }),
      exportCall(folders, guard),
      pages({
        store,
        build: options.build,
        siteUrl: config.siteUrl ?? null,
        fontProvider: config.fontProvider ?? "/fonts",
        cleanHtml,
        log: options.log,
        now: () => new Date(clock()),
      }),
    ];
  };
}
