/** Puts a new picture where an old one is: its words, its cuts and its places stay. */
import { allEntities, type Entity } from "../../schema/index.ts";
import { type Cuts, cutAround, type Place } from "../../schema/pictures.ts";
import type { Field } from "../../schema/fields.ts";
import type { Document, Store } from "../storage/store.ts";
import type { Upload, UploadLibrary } from "./uploadLibrary.ts";

interface ReplaceContext {
  readonly store: Store;
  readonly library: UploadLibrary;
}

/**
 * The new picture has an address of its own, since browsers keep the old one's for a year. Whatever ends
 * this in the middle, every place shows one of the two:
 *
 *   1. the new picture is stored, with the words of the old one
 *   2. each section that shows the old address gets the new one, one write each
 *   3. the old picture is deleted, which can be undone like any deletion
 *
 * @throws What `library.add` throws; nothing has changed then.
 */
export async function replacePicture(
  { store, library }: ReplaceContext,
  old: Upload,
  bytes: Uint8Array,
  name: string,
): Promise<Upload> {
  const { alt, decorative, kind, focus, originalName } = old;
  // 1.
  const stored = await library.add(bytes, name, {
    alt,
    decorative,
    kind,
    focus,
    cuts: null,
    originalName,
  });
  const kept = {
    originalName: withEndingOf(originalName, stored.filename),
    cuts: cutsFor(stored, old),
  };
  const upload = (await library.change(stored.id, kept)) ?? stored;
  // 2.
  for (const entity of allEntities)
    if (entity.shape !== "records" && entity.readers === "everyone")
      await pointTo(upload.url, old.url, entity, store);
  // 3.
  await library.remove(old.id);
  return upload;
}

/** A name says what the file is: `night.jpg` becomes `night.webp`. */
function withEndingOf(name: string, filename: string): string {
  const ending = filename.slice(filename.lastIndexOf("."));
  return `${name.replace(/\.\w{1,5}$/, "").slice(0, 190)}${ending}`;
}

/** The same cuts, or around the same middle and as close where the new picture has other sides. */
function cutsFor(picture: Upload, { cuts, width, height }: Upload): Cuts | null {
  if (!cuts || Math.abs(picture.width / picture.height - width / height) < 0.01) return cuts;
  const again = Object.entries(cuts).map(([place, cut]) => {
    const center = { x: cut.x + cut.width / 2, y: cut.y + cut.height / 2 };
    const zoom = 100 / Math.max(cut.width, cut.height);
    return [place, cutAround(picture, place as Place, center, zoom)];
  });
  return Object.fromEntries(again) as Cuts;
}

async function pointTo(to: string, from: string, entity: Entity, store: Store): Promise<void> {
  const document = store.of(entity) as Document<unknown>;
  const fields = Object.entries(entity.fields as Record<string, Field>);
  const names = fields
    .filter(([, { input }]) => input === "image" || input === "richText")
    .map(([field]) => field);
  const changed = (item: Record<string, unknown>) => {
    const shown = names.filter((field) => String(item[field] ?? "").includes(from));
    const swapped = shown.map((field) => [field, String(item[field]).replaceAll(from, to)]);
    return shown.length === 0 ? item : { ...item, ...Object.fromEntries(swapped) };
  };
  await document.update((value) => {
    const next = Array.isArray(value) ? value.map(changed) : changed(value as never);
    return Bun.deepEquals(next, value) ? value : next;
  });
}
