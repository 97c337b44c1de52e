/** The routes of uploaded pictures, and their delivery to visitors. */
import { Elysia } from "elysia";
import { checkChange } from "../../schema/check.ts";
import { allEntities } from "../../schema/index.ts";
import { uploads } from "../../schema/uploads.ts";
import type { OwnerGuard } from "../accounts/guard.ts";
import { DASHBOARD_JSON, readForm, readJson, UPLOAD_BODY } from "../http/body.ts";
import type { ReadyAnswers } from "../http/readyAnswers.ts";
import { conflict, invalid, isRefusal, notFound } from "../shared/errors.ts";
import type { Store } from "../storage/store.ts";
import { pictureDelivery } from "./pictureDelivery.ts";
import { replacePicture } from "./replacePicture.ts";
import { LIBRARY_FULL, type UploadLibrary } from "./uploadLibrary.ts";

interface UploadContext {
  readonly library: UploadLibrary;
  readonly store: Store;
  readonly guard: OwnerGuard;
  readonly ready: ReadyAnswers;
}

const GONE = "This file no longer exists. Reload the list.";

/** The list, adding, changing, replacing and deleting; and GET /uploads/{filename}. */
export function uploadRoutes({ library, store, guard, ready }: UploadContext) {
  const deliver = pictureDelivery({ library, store, ready });
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
    .put(
      "/api/uploads/:id",
      async ({ params, request, happened }) => {
        const words = checkChange(uploads, await readJson(request, DASHBOARD_JSON));
        if (!words.ok) throw invalid(words.error, words.fields);
        const upload = await library.change(params.id, words.values);
        if (!upload) throw notFound(GONE);
        happened("content", "changed a picture", upload.originalName);
        return upload;
      },
      { may: "content" },
    )
    .post(
      "/api/uploads/:id/replace",
      async ({ params, request, happened }) => {
        const old = library.list().find(({ id }) => id === params.id);
        if (!old) throw notFound(GONE);
        const file = await pictureIn(request);
        const upload = await replacePicture({ store, library }, old, await file.bytes(), file.name);
        happened("content", "replaced a picture", upload.originalName);
        return upload;
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
    .get("/uploads/:filename", ({ params }) => deliver(params.filename));
}

async function take(library: UploadLibrary, request: Request) {
  if (library.list().length >= uploads.limit) throw conflict(LIBRARY_FULL);
  const file = await pictureIn(request);
  return library.add(await file.bytes(), file.name);
}

/** The one picture that a form carries. */
async function pictureIn(request: Request): Promise<File> {
  const form = await readForm(request, UPLOAD_BODY);
  const parts = form.getAll("file");
  const [file] = parts;
  if (parts.length !== 1 || !(file instanceof File)) {
    throw invalid('Send one picture at a time, in the part named "file".');
  }
  return file;
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
