/** Reads the uploaded files. New files are uploaded by addPictures.ts. */
import type { Item } from "../../../schema/index.ts";
import { type Pictures, createVariantUrl } from "../../../schema/pictures/pictures.ts";
import { useEntity } from "./useEntity.ts";

/** An upload in the dashboard's list. `usedIn` names the sections that show the file. */
export type Upload = Item<"uploads"> & { readonly usedIn?: readonly string[] };

/** The uploaded files, newest first. */
export function useUploads() {
  const { value, ...query } = useEntity("uploads");
  const files = value && [...value].sort(compareNewestFirst);
  return { ...query, files: files as Upload[] | undefined };
}

export function filterImages(files: readonly Upload[]): Upload[] {
  return files.filter((file) => file.mimetype.startsWith("image/"));
}

/** The smallest variant of an upload, for tiles. */
export function createThumbnailUrl({ url, widths }: Upload): string {
  const smallest = widths?.[0];
  return smallest === undefined ? url : createVariantUrl(url, smallest);
}

/** Maps pictures' URLs to the details that pages need to show them. */
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

/** "312.4 KB"; at most GB. */
export function formatFileSize(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log(bytes) / Math.log(1024)), 3);
  return `${(bytes / 1024 ** power).toFixed(1)} ${SIZE_UNITS[power]}`;
}
