/** The routes of uploaded pictures, and their delivery to visitors. */
import { Elysia } from "elysia";
import { allEntities } from "../../schema/index.ts";
import { uploads } from "../../schema/uploads.ts";
import type { OwnerGuard } from "../accounts/guard.ts";
import { readForm, UPLOAD_BODY } from "../http/body.ts";
import { conflict, invalid, isRefusal, notFound } from "../shared/errors.ts";
import type { Store } from "../storage/store.ts";
import { LIBRARY_FULL, type UploadLibrary } from "./uploadLibrary.ts";

interface UploadContext {
  readonly library: UploadLibrary;
  readonly store: Store;
  readonly guard: OwnerGuard;
}

const GONE = "This file no longer exists. Reload the list.";

/** GET /api/uploads, POST /api/upload, DELETE /api/uploads/{id}, and GET /uploads/{filename}. */
export function uploadRoutes({ library, store, guard }: UploadContext) {
  return new Elysia({ name: "uploads" })
    .use(guard)
    .get(
      "/api/uploads",
      () => {
        const usedIn = pictureUse(store);
        return library.list().map((upload) => ({ ...upload, usedIn: usedIn(upload.url) }));
      },
      { may: "content" },
    )
    .post(
      "/api/upload",
      async ({ request, status, happened }) => {
        const upload = await take(library, request);
        happened("content", "added a picture", upload.originalName);
        return status(201, upload);
      },
      { may: "content", parse: "none" },
    )
    .delete(
      "/api/uploads/:id",
      async ({ params, set, happened }) => {
        await library.remove(params.id).catch((error: unknown) => {
          throw isRefusal(error, "not_found") ? notFound(GONE) : error;
        });
        happened("content", "deleted a picture");
        set.status = 204;
      },
      { may: "content" },
    )
    .get("/uploads/:filename", ({ params }) => deliver(library, params.filename));
}

async function take(library: UploadLibrary, request: Request) {
  if (library.list().length >= uploads.limit) throw conflict(LIBRARY_FULL);
  const form = await readForm(request, UPLOAD_BODY);
  const parts = form.getAll("file");
  const [file] = parts;
  if (parts.length !== 1 || !(file instanceof File)) {
    throw invalid('Send one picture at a time, in the part named "file".');
  }
  return library.add(await file.bytes(), file.name);
}

async function deliver(library: UploadLibrary, name: string): Promise<Response> {
  const file = await library.find(name);
  if (!file) throw notFound();
  return new Response(Bun.file(file.path), {
    headers: {
      "content-type": file.contentType,
      "content-security-policy": "default-src 'none'; sandbox",
      "cache-control": "public, max-age=31536000, immutable",
      etag: `"${name}"`,
    },
  });
}

/** For each address asked for, the sections that show it, in the words of the dashboard's tabs. */
export function pictureUse(store: Store): (url: string) => string[] {
  const texts = allEntities
    .filter((entity) => entity.shape !== "records")
    .filter(({ readers }) => readers === "everyone")
    .map((entity) => ({
      section: entity.section,
      text: JSON.stringify(store.of(entity).read().value),
    }));
  return (url) => [
    ...new Set(texts.filter(({ text }) => text.includes(url)).map(({ section }) => section)),
  ];
}
