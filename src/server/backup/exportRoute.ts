/** The owner's download of everything: the archive that `limelight backup` writes. */
import { Elysia } from "elysia";
import { Readable } from "node:stream";
import { allEntities } from "../../schema/index.ts";
import type { AccessGuard, Reauthentication } from "../accounts/guard.ts";
import { cannotStore } from "../shared/errors.ts";
import type { Engine } from "../storage/engine.ts";
import type { ArchivedSite } from "./writeArchive.ts";

/** GET /api/export: the archive as a download, named after the day. Only for the owner, after a proof. */
export function exportRoute(
  site: ArchivedSite,
  { guard, proof }: { readonly guard: AccessGuard; readonly proof: Reauthentication },
  now = () => new Date(),
) {
  return new Elysia({ name: "export" }).use(guard).get(
    "/api/export",
    async ({ request, owner, happened: recordActivity }) => {
      proof.require(owner);
      const made = now();
      const headers = {
        "content-type": "application/gzip",
        "content-disposition": `attachment; filename="limelight-${made.toISOString().slice(0, 10)}.tar.gz"`,
        "cache-control": "no-store",
      };
      // HEAD examines and saves nothing.
      if (request.method === "HEAD") return new Response(null, { headers });
      // Loaded with the first export, so that starts don't wait for it.
      const { createArchiveStream: archiveStream } = await import("./writeArchive.ts");
      await assertReadable(site.data);
      recordActivity("data", "exported everything");
      // Node's ReadableStream type differs from the global one, though they are the same.
      const archive = archiveStream(site, made, { passesOver: true });
      const body = Readable.toWeb(archive) as unknown as ReadableStream;
      return new Response(body, { headers });
    },
    { owner: true },
  );
}

/** Once a download has started, no error can be sent. */
async function assertReadable(data: Engine): Promise<void> {
  const refused = (await data.examine(allEntities)).find(({ blocksStart }) => blocksStart);
  if (refused)
    throw cannotStore(
      `Nothing was exported, because the export couldn't be restored: ${refused.message}`,
    );
}
