/** The uploaded files, newest first, and what previews need to know of them. */
import type { Item } from "../../../schema/index.ts";
import type { Pictures } from "../../../schema/pictures.ts";
import { variantUrl } from "../../../schema/pictures.ts";
import { useEntity } from "./useEntity.ts";

/** An upload as the dashboard lists it; `usedIn` names the sections that show it. */
export type Upload = Item<"uploads"> & { readonly usedIn?: readonly string[] };

/** Reads every upload. */
export function useUploads() {
  const { value, ...read } = useEntity("uploads");
  const files = value && [...value].sort(newestFirst);
  return { ...read, files: files as Upload[] | undefined };
}

/** Only files that can be shown as a picture (spec section 2, "Hero tab"). */
export function imagesAmong(files: readonly Upload[]): Upload[] {
  return files.filter((file) => file.mimetype.startsWith("image/"));
}

/** The smallest variant of an upload, for tiles. */
export function thumbnailOf({ url, widths }: Upload): string {
  const smallest = widths?.[0];
  return smallest === undefined ? url : variantUrl(url, smallest);
}

/** What a page needs to know of the pictures, by address. */
export function picturesOf(files: readonly Upload[]): Pictures {
  return Object.fromEntries(
    files.map((file) => [file.url, { ...file, widths: file.widths ?? [] }]),
  );
}

function newestFirst(a: Item<"uploads">, b: Item<"uploads">): number {
  return (b.createdAt ?? "").localeCompare(a.createdAt ?? "") || b.id.localeCompare(a.id);
}
