/** Reads the uploaded files. New files are added by addPictures.ts. */
import type { Item } from "../../../schema/index.ts";
import { type Pictures, createVariantUrl } from "../../../schema/pictures/pictures.ts";
import { useEntity } from "./useEntity.ts";

/** `usedIn` names the sections that show the file. */
export type Upload = Item<"uploads"> & { readonly usedIn?: readonly string[] };

/** Returns the uploads, newest first. */
export function useUploads() {
  const { value, ...query } = useEntity("uploads");
  const files = value && [...value].sort(compareNewestFirst);
  return { ...query, files: files as Upload[] | undefined };
}

export function filterImages(files: readonly Upload[]): Upload[] {
  return files.filter((file) => file.mimetype.startsWith("image/"));
}

export function createThumbnailUrl({ url, widths }: Upload): string {
  const smallest = widths?.[0];
  return smallest === undefined ? url : createVariantUrl(url, smallest);
}

/** Returns what pages need to know about pictures, by URL. */
export function createPictures(files: readonly Upload[]): Pictures {
  return Object.fromEntries(
    files.map((file) => [
      file.url,
      { ...file, widths: file.widths ?? [], alt: file.decorative ? "" : file.alt },
    ]),
  );
}

const compareNewestFirst = (a: Item<"uploads">, b: Item<"uploads">) =>
  createSortKey(a) > createSortKey(b) ? -1 : 1;

const createSortKey = ({ createdAt, id }: Item<"uploads">) => `${createdAt ?? ""} ${id}`;

const SIZE_UNITS = ["B", "KB", "MB", "GB"] as const;

/** Returns a text such as "312.4 KB". */
export function formatFileSize(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log(bytes) / Math.log(1024)), 3);
  return `${(bytes / 1024 ** power).toFixed(1)} ${SIZE_UNITS[power]}`;
}
