/** The owner's download of the whole site, in the format of `limelight backup`. */
import { Elysia } from "elysia";
import { Readable } from "node:stream";
import { allEntities } from "../../schema/index.ts";
import type { AccessGuard } from "../accounts/guard.ts";
import { cannotStore } from "../shared/errors.ts";
import type { Engine } from "../storage/engine.ts";
import type { SiteStorage } from "./writeArchive.ts";

export function createExportRoute(site: SiteStorage, { guard }: { readonly guard: AccessGuard }) {
  return new Elysia({ name: "export" }).use(guard).get(
    "/api/export",
    async ({ request, logAudit }) => {
      const now = new Date();
      const headers = {
        "content-type": "application/gzip",
        "content-disposition": `attachment; filename="limelight-${now.toISOString().slice(0, 10)}.tar.gz"`,
        "cache-control": "no-store",
      };
      if (request.method === "HEAD") return new Response(null, { headers });
      // Loads the code with the first export, so it doesn't delay the start.
      const { createArchiveStream } = await import("./writeArchive.ts");
      await assertStartable(site.data);
      logAudit("data", "exported everything");
      const archive = createArchiveStream(site, now, { shouldSkipDeletedPictures: true });
      // Node's type of the stream class differs from the global type, but the class is the same.
      const body = Readable.toWeb(archive) as unknown as ReadableStream;
      return new Response(body, { headers });
    },
    { owner: "reauthenticated" },
  );
}

/** Throws `cannot_store` if no site could start from the data. Called before the download, which can't show errors. */
async function assertStartable(data: Engine): Promise<void> {
  const blockingFinding = (await data.examine(allEntities)).find(({ blocksStart }) => blocksStart);
  if (blockingFinding)
    throw cannotStore(
      `Nothing was exported: a site restored from this archive couldn't start. ${blockingFinding.message}`,
    );
}
