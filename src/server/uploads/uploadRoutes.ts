/** The routes that list, add, change, replace, delete and serve pictures. */
import { Elysia } from "elysia";
import { checkChange } from "../../schema/entities/check.ts";
import { FILE_TOO_LARGE_MESSAGE, uploads } from "../../schema/pictures/uploads.ts";
import type { AccessGuard } from "../accounts/guard.ts";
import {
  MAX_DASHBOARD_JSON_BYTES,
  readForm,
  readJson,
  MAX_UPLOAD_BODY_BYTES,
  UPLOAD_TIMEOUT_S,
} from "../http/body.ts";
import { createEtagHeaders, assertIfMatch } from "../http/conditionalRequests.ts";
import type { ReadyResponses } from "../http/readyResponses.ts";
import { invalidInput, isRefusal, notFound, tooLarge } from "../shared/errors.ts";
import type { Store } from "../storage/store.ts";
import { createPictureUseLookup } from "./pictureUse.ts";
import { createPictureReplacer } from "./replacePicture.ts";
import type { ChangedList, Upload, UploadLibrary } from "./uploadLibrary.ts";
import type { ServableFile } from "./uploadFiles.ts";

interface UploadContext {
  readonly library: UploadLibrary;
  readonly store: Store;
  readonly guard: AccessGuard;
  readonly readyResponses: ReadyResponses;
}

const FILE_DELETED_MESSAGE = "This file no longer exists. Reload the list.";

export function createUploadRoutes({ library, store, guard, readyResponses }: UploadContext) {
  const servePicture = createPictureHandler({ library, store, readyResponses });
  const replacePicture = createPictureReplacer(store, library);
  return new Elysia({ name: "uploads" })
    .use(guard)
    .get(
      "/api/uploads",
      async () => {
        const createView = await createListView(store);
        return createView(store.of(uploads).read().value);
      },
      { may: "content" },
    )
    .post(
      "/api/upload",
      async ({ request, status, logAudit }) => {
        const file = await readPicture(request);
        const upload = await library.addPicture(await file.bytes(), file.name);
        logAudit("content", "added an image", upload.originalName);
        return status(201, upload);
      },
      { may: "content", parse: "none" },
    )
    .put(
      "/api/uploads/:id",
      async ({ params, request, set, logAudit }) => {
        const change = checkChange(uploads, await readJson(request, MAX_DASHBOARD_JSON_BYTES));
        if (!change.ok) throw invalidInput(change.error, change.fields);
        const precondition = await createPrecondition(request, store);
        const changed = await library.changePicture(params.id, change.values, precondition?.check);
        if (!changed) throw notFound(FILE_DELETED_MESSAGE);
        const { upload } = changed;
        Object.assign(set.headers, precondition?.createHeaders(changed));
        logAudit("content", "changed an image", upload.originalName);
        return upload;
      },
      { may: "content" },
    )
    .post(
      "/api/uploads/:id/replace",
      async ({ params, request, logAudit }) => {
        const file = await readPicture(request);
        const upload = await replacePicture(params.id, await file.bytes(), file.name).catch(
          rethrowAsDeleted,
        );
        logAudit("content", "replaced an image", upload.originalName);
        return upload;
      },
      { may: "content", parse: "none" },
    )
    .use(createRemovalRoute({ library, store, guard }))
    .get("/uploads/:filename", ({ params }) => servePicture(params.filename));
}

const createRemovalRoute = ({ library, store, guard }: Omit<UploadContext, "readyResponses">) =>
  new Elysia().use(guard).delete(
    "/api/uploads/:id",
    async ({ params, request, set, logAudit }) => {
      const precondition = await createPrecondition(request, store);
      const changed = await library
        .removePicture(params.id, precondition?.check)
        .catch(rethrowAsDeleted);
      Object.assign(set.headers, precondition?.createHeaders(changed));
      logAudit("content", "deleted an image");
      set.status = 204;
    },
    { may: "content" },
  );

/** Returns a function that converts a list, oldest first, to the response: newest first, with each picture's uses. */
async function createListView(store: Store) {
  const findUses = await createPictureUseLookup(store);
  return (list: readonly Upload[]) =>
    list.toReversed().map((upload) => ({ ...upload, usedIn: findUses(upload.url) }));
}

/** Returns undefined without If-Match, since computing the ETag of thousands of pictures takes a tenth of a second. */
async function createPrecondition(request: Request, store: Store) {
  if (!request.headers.has("if-match")) return undefined;
  const createView = await createListView(store);
  return {
    check: (list: readonly Upload[]) => assertIfMatch(request, createView(list)),
    createHeaders: ({ before, after }: ChangedList) =>
      createEtagHeaders(createView(after), createView(before)),
  };
}

function rethrowAsDeleted(error: unknown): never {
  throw isRefusal(error, "not_found") ? notFound(FILE_DELETED_MESSAGE) : error;
}

/** Reads the picture of a form, which must have exactly one. */
async function readPicture(request: Request): Promise<File> {
  const form = await readForm(request, MAX_UPLOAD_BODY_BYTES, { timeoutS: UPLOAD_TIMEOUT_S }).catch(
    (error: unknown) => {
      if (!isRefusal(error, "too_large")) throw error;
      throw tooLarge(FILE_TOO_LARGE_MESSAGE, error.details.headers);
    },
  );
  const parts = form.getAll("file");
  const [file] = parts;
  if (parts.length !== 1 || !(file instanceof File)) {
    throw invalidInput('Send one image at a time, in the part named "file".');
  }
  return file;
}

/** The maximum size of a file that is cached in memory. Variants of photos are smaller. */
const MAX_CACHED_PICTURE_BYTES = 512 * 1024;
const MAX_CACHE_BYTES = 16 * 1024 * 1024;

/**
 * Returns the handler of GET /uploads/{filename}. Small pictures that were requested recently are served from memory as
 * prepared responses, in a third of the time.
 */
function createPictureHandler({ library, store, readyResponses }: Omit<UploadContext, "guard">) {
  /** The sizes of cached files in bytes, by file name. The file that was cached first comes first. */
  const cachedSizes = new Map<string, number>();
  let cachedBytes = 0;

  function removeCached(name: string): void {
    readyResponses.delete(createPicturePath(name));
    cachedBytes -= cachedSizes.get(name) ?? 0;
    cachedSizes.delete(name);
  }

  function cacheFile(name: string, file: ServableFile, headers: Record<string, string>): void {
    const { path, size } = file;
    // The picture may have been deleted while its file was opened.
    if (size > MAX_CACHED_PICTURE_BYTES || cachedSizes.has(name) || !library.hasFile(name)) return;
    const bytes = { identity: () => Bun.file(path).bytes() };
    readyResponses.set(createPicturePath(name), {
      headers,
      etag: createPictureEtag(name),
      bytes,
      hasRanges: true,
    });
    cachedSizes.set(name, size);
    cachedBytes += size;
    for (const oldest of cachedSizes.keys()) {
      if (cachedBytes <= MAX_CACHE_BYTES) return;
      // If this file is still needed, its next request caches it again.
      removeCached(oldest);
    }
  }

  store.onChange((entity) => {
    if (entity !== uploads.name) return;
    for (const name of cachedSizes.keys()) if (!library.hasFile(name)) removeCached(name);
  });

  return async (name: string): Promise<Response> => {
    const file = await library.findFile(name);
    if (!file) throw notFound();
    const headers = {
      "content-type": file.contentType,
      "content-security-policy": "default-src 'none'; sandbox",
      // Other sites may show the pictures: emails contain them, and some mail programs are web pages.
      "cross-origin-resource-policy": "cross-origin",
      "cache-control": "public, max-age=31536000, immutable",
    };
    cacheFile(name, file, headers);
    return new Response(Bun.file(file.path), {
      headers: { ...headers, etag: createPictureEtag(name) },
    });
  };
}

const createPicturePath = (name: string) => `/uploads/${name}`;

/** Names are never reused and files never change, so the name serves as ETag. */
const createPictureEtag = (name: string) => `"${name}"`;
