/** Replaces a picture: its texts, its crops and the places that show it are unchanged. */
import pLimit from "p-limit";
import { type Crops, cropAround, type CropRatio } from "../../schema/pictures/pictures.ts";
import { noLongerExists, isRefusal, isUncertain } from "../shared/errors.ts";
import { runWhenUnlocked } from "../shared/instances.ts";
import { entities } from "../../schema/index.ts";
import type { Store } from "../storage/store.ts";
import { replacePictureUrl } from "./pictureUse.ts";
import type { Upload, UploadLibrary, UploadFields } from "./uploadLibrary.ts";

interface ReplaceContext {
  readonly store: Store;
  readonly library: UploadLibrary;
}

type ReplacePicture = (old: string, bytes: Uint8Array, name: string) => Promise<Upload>;

/**
 * Returns a function that replaces a picture by id. The new picture gets its own URL, since browsers cache the old
 * one for a year. If it is interrupted, every place still shows one of the two:
 *
 *   1. store the new picture, with the old one's texts
 *   2. point all places from the old URL to the new one, in one transaction; on failure remove the new picture
 *   3. delete the old picture, which can be undone like any deletion; it is retained if a sent letter shows it, or
 *      if it can't be deleted now
 *
 * It throws `not_found`, what `library.add` throws, and `cannot_store`. Nothing has changed then, except that a
 * failing disk may leave the new picture in the library.
 */
export function createReplacePicture({ store, library }: ReplaceContext): ReplacePicture {
  // Two replacements of one picture would both find it: the second must fail, at whichever instance.
  const limit = pLimit(1);
  const inTurn = <R>(work: () => Promise<R>) =>
    limit(() => runWhenUnlocked(store, "replacing", LOCK_TIMEOUT_MS, work));
  return (id, bytes, name) =>
    inTurn(async () => {
      const old = library.list().find((each) => each.id === id);
      if (!old) throw noLongerExists(entities.uploads);
      // 1. Only inside the write are other processes' latest changes visible.
      const upload = await library.addPicture(bytes, name, {
        fields: (stored) => replacementFields(stored, old),
        check(list) {
          if (!list.some((each) => each.id === id)) throw noLongerExists(entities.uploads);
        },
      });
      // 2.
      let isOut: boolean;
      try {
        isOut = await replacePictureUrl(upload.url, old.url, store);
      } catch (error) {
        if (!isUncertain(error)) await library.undoAdd(upload).catch(() => undefined);
        throw error;
      }
      // 3. Another instance may have deleted it already.
      if (!isOut) await library.removePicture(old.id).catch(rethrowUnlessRefusal);
      return upload;
    });
}

/** The maximum wait for another instance that replaces a picture. */
const LOCK_TIMEOUT_MS = 10_000;

/** Every place shows the new picture by now, so the old one is merely unused. */
function rethrowUnlessRefusal(error: unknown): void {
  if (!isRefusal(error, "not_found") && !isRefusal(error, "cannot_store")) throw error;
}

function replacementFields(stored: Upload, old: Upload): UploadFields {
  const { alt, decorative, kind, focus, originalName } = old;
  return {
    alt,
    decorative,
    kind,
    focus,
    originalName: replaceExtension(originalName, stored.filename),
    cuts: scaleCrops(stored, old),
  };
}

/** The name follows the file's type: `night.jpg` becomes `night.webp`. */
function replaceExtension(name: string, filename: string): string {
  const ending = filename.slice(filename.lastIndexOf("."));
  return `${name.replace(/\.\w{1,5}$/, "").slice(0, 190)}${ending}`;
}

/** The same crops, or with the same center and zoom if the new picture has other proportions. */
function scaleCrops(picture: Upload, { cuts, width, height }: Upload): Crops | null {
  if (!cuts || Math.abs(picture.width / picture.height - width / height) < 0.01) return cuts;
  const again = Object.entries(cuts).map(([ratio, cut]) => {
    const center = { x: cut.x + cut.width / 2, y: cut.y + cut.height / 2 };
    const zoom = 100 / Math.max(cut.width, cut.height);
    return [ratio, cropAround(picture, ratio as CropRatio, center, zoom)];
  });
  return Object.fromEntries(again) as Crops;
}
