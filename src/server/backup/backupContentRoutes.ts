/** The owner's routes that show a backup's contents and restore from it. */
import { Elysia } from "elysia";
import * as v from "valibot";
import type { BackupContent } from "../../schema/api/backups.ts";
import type { AnyRecords } from "../../schema/entities/entity.ts";
import { entities } from "../../schema/index.ts";
import type { AccessGuard } from "../accounts/guard.ts";
import { MAX_DASHBOARD_JSON_BYTES, readJson } from "../http/body.ts";
import { conflict, invalidInput, isRefusal, notFound } from "../shared/errors.ts";
import { getPictureStem } from "../storage/pictures/pictureNames.ts";
import {
  restorePicture,
  restoreSection,
  type PartRestoreTarget,
  type OpenedArchive,
} from "./restorePart.ts";
import { readArchiveContent, compareSections } from "./readArchiveContent.ts";
import { MINUTE } from "../shared/time.ts";

interface BackupContentContext {
  readonly guard: AccessGuard;
  /** Throws `not_found` if the archive isn't on this machine. */
  readonly getArchivePath: (id: string) => Promise<string>;
  readonly target: PartRestoreTarget;
  /** Prepares a restore of everything. After the response, the site restarts to complete the restore. */
  readonly stageFullRestore: (archive: string) => Promise<void>;
}

/** POST `/api/backups/{id}/restore` needs the password. The body: `{section}`, `{picture}` or `{everything: true}`. */
export function createBackupContentRoutes(context: BackupContentContext) {
  const { guard, target } = context;
  const openBackup = createArchiveReader(context);
  return new Elysia({ prefix: "/api/backups" })
    .use(guard)
    .get(
      "/:id/inside",
      async ({ params }) => describeBackupContent(params.id, await openBackup(params.id), target),
      { owner: true },
    )
    .get(
      "/:id/pictures/:picture",
      async ({ params, set }) => {
        const { content } = await openBackup(params.id);
        const picture = content.uploads.find(({ id }) => id === params.picture);
        const bytes = picture && content.thumbnails.get(getPictureStem(picture.filename));
        if (!bytes) throw notFound();
        set.headers["content-type"] = "image/webp";
        set.headers["content-security-policy"] = "default-src 'none'; sandbox";
        return bytes;
      },
      { owner: true },
    )
    .post(
      "/:id/restore",
      async ({ params, request, logAudit, set }) => {
        const selection = readRestoreSelection(await readJson(request, MAX_DASHBOARD_JSON_BYTES));
        if ("everything" in selection) {
          const archive = await context.getArchivePath(params.id);
          await context.stageFullRestore(archive).catch(rethrowAsConflict);
          logAudit("data", "restored the whole site from a backup");
          set.status = 202;
          return {};
        }
        const opened = await openBackup(params.id);
        if ("picture" in selection) {
          const picture = await restorePicture(opened, selection.picture, target);
          logAudit("data", "restored an image from a backup");
          return { picture };
        }
        const replaced = await restoreSection(opened, selection.section, target);
        logAudit("data", `restored ${selection.section} from a backup`);
        return { replaced };
      },
      { owner: "reauthenticated", parse: "none" },
    );
}

/** How long an archive's contents, a few megabytes, stay in memory. */
const ARCHIVE_CACHE_MS = 10 * MINUTE;

/** Returns a function that reads an archive. Caches the last archive, since reading takes a second or two. */
function createArchiveReader({
  getArchivePath,
}: BackupContentContext): (id: string) => Promise<OpenedArchive> {
  let cached: { readonly id: string; readonly opened: Promise<OpenedArchive> } | undefined;
  return async (id) => {
    // Called even for a cached archive, because `getArchivePath` throws if the backup was removed.
    const archive = await getArchivePath(id);
    if (cached?.id === id) return cached.opened.catch(rethrowAsConflict);
    const opened = readArchiveContent(archive).then((content) => ({ archive, content }));
    const current = (cached = { id, opened });
    const clearCache = () => {
      if (cached === current) cached = undefined;
    };
    setTimeout(clearCache, ARCHIVE_CACHE_MS).unref();
    opened.catch(clearCache);
    return opened.catch(rethrowAsConflict);
  };
}

/** Converts the error of an unreadable archive to a 409, because a damaged archive isn't a failure of the server. */
function rethrowAsConflict(error: unknown): never {
  throw isRefusal(error, "cannot_open") ? conflict(error.message) : error;
}

const restoreSelectionSchema = v.union([
  v.object({ everything: v.literal(true) }),
  v.object({ picture: v.string() }),
  v.object({ section: v.string() }),
]);

function readRestoreSelection(input: unknown): v.InferOutput<typeof restoreSelectionSchema> {
  const parsed = v.safeParse(restoreSelectionSchema, input);
  if (parsed.success) return parsed.output;
  throw invalidInput("Specify what to restore: a section, an image, or everything.");
}

async function describeBackupContent(
  id: string,
  { content }: OpenedArchive,
  { store, library }: PartRestoreTarget,
): Promise<BackupContent> {
  const currentUrls = new Set(library.list().map(({ url }) => url));
  const compareRecordCounts = async (entity: AnyRecords) => ({
    backup: content.counts.get(entity.key) ?? 0,
    now: await store.of(entity).count(),
  });
  return {
    id,
    createdAt: content.createdAt,
    sections: compareSections(content, store),
    submissions: await compareRecordCounts(entities.formSubmissions),
    subscriptions: await compareRecordCounts(entities.emailSubscriptions),
    pictures: content.uploads.map(({ id: picture, url, originalName, filename, tone, focus }) => ({
      id: picture,
      url,
      name: originalName,
      tone,
      focus,
      isHere: currentUrls.has(url),
      hasSmall: content.thumbnails.has(getPictureStem(filename)),
    })),
  };
}
