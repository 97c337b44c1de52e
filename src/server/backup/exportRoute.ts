/** The owner's download of everything: the same archive that `limelight backup` writes. */
import { Elysia } from "elysia";
import { Readable } from "node:stream";
import type { OwnerGuard } from "../accounts/guard.ts";
import type { Archived } from "./writeArchive.ts";

/** GET /api/export: the archive as a download, named with the day. The owner's alone. */
export function exportRoute(site: Archived, guard: OwnerGuard, now = () => new Date()) {
  return new Elysia({ name: "export" }).use(guard).get(
    "/api/export",
    async () => {
      const made = now();
      // Loaded with the first export, so that no start waits for it.
      const { archiveStream } = await import("./writeArchive.ts");
      const body = Readable.toWeb(archiveStream(site, made)) as unknown as ReadableStream;
      return new Response(body, {
        headers: {
          "content-type": "application/gzip",
          "content-disposition": `attachment; filename="limelight-${made.toISOString().slice(0, 10)}.tar.gz"`,
          "cache-control": "no-store",
        },
      });
    },
    { owner: true },
  );
}
