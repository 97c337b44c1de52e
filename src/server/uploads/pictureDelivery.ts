/**
 * Serves pictures to visitors from disk, with ranges. Small ones that were requested recently are served from memory,
 * as prepared responses, which takes a third of the time.
 */
import { uploads } from "../../schema/pictures/uploads.ts";
import type { ReadyResponses } from "../http/readyResponses.ts";
import { notFound } from "../shared/errors.ts";
import type { Store } from "../storage/store.ts";
import type { ServableFile } from "./uploadFiles.ts";
import type { UploadLibrary } from "./uploadLibrary.ts";

interface DeliveryContext {
  readonly library: Pick<UploadLibrary, "findFile" | "hasFile">;
  readonly store: Store;
  readonly ready: ReadyResponses;
}

/** More than any variant of a photo has. */
const MAX_CACHED_PICTURE_BYTES = 512 * 1024;
const MAX_CACHE_BYTES = 16 * 1024 * 1024;

/** Returns the handler of GET /uploads/{filename}, which throws `not_found` and `cannot_store`. */
export function createPictureDelivery({ library, store, ready }: DeliveryContext) {
  /** The sizes of cached files in bytes, by name; the oldest is first. */
  const cached = new Map<string, number>();
  let sum = 0;

  function drop(name: string): void {
    ready.delete(picturePath(name));
    sum -= cached.get(name) ?? 0;
    cached.delete(name);
  }

  function cacheFile(name: string, file: ServableFile, headers: Record<string, string>): void {
    const { path, size } = file;
    // The picture may have been deleted while its file was opened.
    if (size > MAX_CACHED_PICTURE_BYTES || cached.has(name) || !library.hasFile(name)) return;
    const bytes = { identity: () => Bun.file(path).bytes() };
    ready.set(picturePath(name), { headers, etag: pictureEtag(name), bytes, hasRanges: true });
    cached.set(name, size);
    sum += size;
    for (const oldest of cached.keys()) {
      if (sum <= MAX_CACHE_BYTES) return;
      // A picture that is still requested is cached again with the next request.
      drop(oldest);
    }
  }

  store.onChange((entity) => {
    if (entity !== uploads.name) return;
    for (const name of cached.keys()) if (!library.hasFile(name)) drop(name);
  });

  return async (name: string): Promise<Response> => {
    const file = await library.findFile(name);
    if (!file) throw notFound();
    const headers = {
      "content-type": file.contentType,
      "content-security-policy": "default-src 'none'; sandbox",
      // Emails show pictures, and some mail programs are web pages.
      "cross-origin-resource-policy": "cross-origin",
      "cache-control": "public, max-age=31536000, immutable",
    };
    cacheFile(name, file, headers);
    return new Response(Bun.file(file.path), { headers: { ...headers, etag: pictureEtag(name) } });
  };
}

const picturePath = (name: string) => `/uploads/${name}`;

/** The name is enough, since names are never reused and files never change. */
const pictureEtag = (name: string) => `"${name}"`;
