/** The uploaded files; addPictures.ts uploads more. */
import type { Item } from "../../../schema/index.ts";
import { type Pictures, variantUrl } from "../../../schema/pictures/pictures.ts";
import { useEntity } from "./useEntity.ts";

/** An upload in the dashboard's list; `usedIn` names the sections that show it. */
export type Upload = Item<"uploads"> & { readonly usedIn?: readonly string[] };

/** Every upload, newest first. */
export function useUploads() {
  const { value, ...read } = useEntity("uploads");
  const files = value && [...value].sort(newestFirst);
  return { ...read, files: files as Upload[] | undefined };
}

export function imagesAmong(files: readonly Upload[]): Upload[] {
  return files.filter((file) => file.mimetype.startsWith("image/"));
}

/** The smallest variant of an upload, for tiles. */
export function thumbnailOf({ url, widths }: Upload): string {
  const smallest = widths?.[0];
  return smallest === undefined ? url : variantUrl(url, smallest);
}

/** The details of pictures that pages need, by address. */
export function picturesOf(files: readonly Upload[]): Pictures {
  return Object.fromEntries(
    files.map((file) => [
      file.url,
      { ...file, widths: file.widths ?? [], alt: file.decorative ? "" : file.alt },
    ]),
  );
}

const newestFirst = (a: Item<"uploads">, b: Item<"uploads">) => (orderOf(a) > orderOf(b) ? -1 : 1);

const orderOf = ({ createdAt, id }: Item<"uploads">) => `${createdAt ?? ""} ${id}`;

const UNITS = ["B", "KB", "MB", "GB"] as const;

/** "312.4 KB" for a number of bytes: B, KB, MB or GB with one decimal. */
export function fileSize(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log(bytes) / Math.log(1024)), 3);
  return `${(bytes / 1024 ** power).toFixed(1)} ${UNITS[power]}`;
}
