/** Replaces a picture wherever it is used. The new picture gets the texts and crops of the old picture. */
import { cutText } from "../../schema/core/boundedUnicode.ts";
import pLimit from "p-limit";
import { type Crops, createCropAround, type CropName } from "../../schema/pictures/pictures.ts";
import { noLongerExists, isRefusal, isUncertainWrite } from "../shared/errors.ts";
import { runWhenUnlocked } from "../shared/instanceCoordinator.ts";
import { entities } from "../../schema/index.ts";
import type { Store } from "../storage/store.ts";
import { replacePictureUrl } from "./pictureUse.ts";
import type { Upload, UploadLibrary, UploadFields } from "./uploadLibrary.ts";

/**
 * Returns a function that replaces a picture. After each step, every page shows either the old or the new picture:
 *
 * 1. Add the new picture. It gets a new URL, since browsers cache a picture for a year.
 * 2. Replace the old URL everywhere, in one transaction. If this fails, remove the new picture.
 * 3. Move the old picture to the bin, unless a letter that was sent shows it.
 *
 * The function throws `not_found`, what `UploadLibrary.addPicture` throws, and `cannot_store`. After an error nothing
 * has changed, except that a failing disk may leave the new picture in the library.
 */
export function createPictureReplacer(store: Store, library: UploadLibrary) {
  // Only one replacement runs at a time, in all instances, so that the second replacement of the same picture fails.
  const queue = pLimit(1);
  const runExclusively = <R>(work: () => Promise<R>) =>
    queue(() => runWhenUnlocked(store, "replacing", LOCK_TIMEOUT_MS, work));
  return (id: string, bytes: Uint8Array, name: string) =>
    runExclusively(async () => {
      const oldUpload = library.list().find((each) => each.id === id);
      if (!oldUpload) throw noLongerExists(entities.uploads);
      // The check runs within the write, so it sees the latest changes of other instances.
      const upload = await library.addPicture(bytes, name, {
        createFields: (stored) => createReplacementFields(stored, oldUpload),
        check(list) {
          if (!list.some((each) => each.id === id)) throw noLongerExists(entities.uploads);
        },
      });
      let wasSent: boolean;
      try {
        wasSent = await replacePictureUrl(upload.url, oldUpload.url, store);
      } catch (error) {
        if (!isUncertainWrite(error)) await library.undoAdd(upload).catch(() => undefined);
        throw error;
      }
      if (!wasSent) await library.removePicture(oldUpload.id).catch(rethrowUnlessRefusal);
      return upload;
    });
}

/** The maximum time that a replacement waits for a replacement in another instance. */
const LOCK_TIMEOUT_MS = 10_000;

/** The old picture may already be deleted. If it can't be deleted now, it stays unused in the library. */
function rethrowUnlessRefusal(error: unknown): void {
  if (!isRefusal(error, "not_found") && !isRefusal(error, "cannot_store")) throw error;
}

function createReplacementFields(stored: Upload, oldUpload: Upload): UploadFields {
  const { alt, decorative, kind, focus, originalName } = oldUpload;
  return {
    alt,
    decorative,
    kind,
    focus,
    originalName: replaceExtension(originalName, stored.filename),
    cuts: scaleCrops(stored, oldUpload),
  };
}

/** Replaces the extension of a name with that of `filename`: `night.jpg` becomes `night.webp`. */
function replaceExtension(name: string, filename: string): string {
  const extension = filename.slice(filename.lastIndexOf("."));
  return `${cutText(name.replace(/\.\w{1,5}$/, ""), 190)}${extension}`;
}

/** Returns the same crops or, if the pictures' proportions differ, crops with the same center and zoom. */
function scaleCrops(picture: Upload, { cuts, width, height }: Upload): Crops | null {
  if (!cuts || Math.abs(picture.width / picture.height - width / height) < 0.01) return cuts;
  const scaledCrops = Object.entries(cuts).map(([cropName, crop]) => {
    const center = { x: crop.x + crop.width / 2, y: crop.y + crop.height / 2 };
    const zoom = 100 / Math.max(crop.width, crop.height);
    return [cropName, createCropAround(picture, cropName as CropName, center, zoom)];
  });
  return Object.fromEntries(scaledCrops) as Crops;
}
