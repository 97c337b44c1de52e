/** What plugs into the application beside its calls: pictures, the owner's export, the pages. */
import type { AnyElysia } from "elysia";
import type { Parts } from "./app.ts";
import { exportCall } from "./backup/exportCall.ts";
import { cleanHtml } from "./content/cleanHtml.ts";
import { pages } from "./pages/pages.ts";
import type { WebBuild } from "./pages/webBuild.ts";
import { uploadCalls } from "./uploads/uploadCalls.ts";
import type { UploadLibrary } from "./uploads/uploadLibrary.ts";

/** What the capabilities need beside the shared parts. */
export interface CapabilityOptions {
  readonly library: UploadLibrary;
  readonly build: WebBuild;
  readonly log: (line: string) => void;
}

/** The plugins of a whole site, for `createApp`. */
export function capabilities(options: CapabilityOptions): (parts: Parts) => readonly AnyElysia[] {
  const { library, build, log } = options;
  return ({ store, guard, visitors, clock, config, forms }) => [
    uploadCalls({ store, guard, library }),
    exportCall({ data: config.dataDir, uploads: config.uploadsDir }, guard),
    pages({
      store,
      build,
      siteUrl: config.siteUrl ?? null,
      fontProvider: config.fontProvider ?? "/fonts",
      cleanHtml,
      log,
      now: () => new Date(clock()),
      visitor: visitors,
      takeEnquiry: forms.handlePlainEnquiry,
    }),
  ];
}
