/** Replaces a picture by a new one wherever it is used. The new picture adopts the old one's texts and crops. */
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
 * Returns a function that replaces the picture with this id. After each step, every page shows either the old picture
 * or the new one:
 *
 * 1. Add the new picture, with the old one's texts. Its URL is new, since browsers cache the old one for a year.
 * 2. Replace the old URL by the new one everywhere, in one transaction. After a failure, remove the new picture.
 * 3. Move the old picture to the trash, unless a letter that was sent shows it.
 *
 * The function throws `not_found`, what `UploadLibrary.addPicture` throws, and `cannot_store`. After an error nothing
 * has changed, except that a failing disk may leave the new picture in the library.
 */
export function createPictureReplacer(store: Store, library: UploadLibrary) {
  // Only one replacement runs at a time, at all instances: if a picture is replaced twice, the second must fail.
  const queue = pLimit(1);
  const runExclusively = <R>(work: () => Promise<R>) =>
    queue(() => runWhenUnlocked(store, "replacing", LOCK_TIMEOUT_MS, work));
  return (id: string, bytes: Uint8Array, name: string) =>
    runExclusively(async () => {
      const oldUpload = library.list().find((each) => each.id === id);
      if (!oldUpload) throw noLongerExists(entities.uploads);
      // 1. The check runs inside the write, which sees the latest changes of other processes.
      const upload = await library.addPicture(bytes, name, {
        createFields: (stored) => createReplacementFields(stored, oldUpload),
        check(list) {
          if (!list.some((each) => each.id === id)) throw noLongerExists(entities.uploads);
        },
      });
      // 2.
      let wasSent: boolean;
      try {
        wasSent = await replacePictureUrl(upload.url, oldUpload.url, store);
      } catch (error) {
        if (!isUncertainWrite(error)) await library.undoAdd(upload).catch(() => undefined);
        throw error;
      }
      // 3.
      if (!wasSent) await library.removePicture(oldUpload.id).catch(rethrowUnlessRefusal);
      return upload;
    });
}

/** How long a replacement waits for a replacement at another instance. */
const LOCK_TIMEOUT_MS = 10_000;

/** The old picture may be deleted already. If it can't be deleted now, it stays in the library, unused. */
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

/** Gives a name the extension of another file: `night.jpg` becomes `night.webp`. */
function replaceExtension(name: string, filename: string): string {
  const extension = filename.slice(filename.lastIndexOf("."));
  return `${cutText(name.replace(/\.\w{1,5}$/, ""), 190)}${extension}`;
}

/** Returns the same crops, or crops with the same center and zoom if the pictures' proportions differ. */
function scaleCrops(picture: Upload, { cuts, width, height }: Upload): Crops | null {
  if (!cuts || Math.abs(picture.width / picture.height - width / height) < 0.01) return cuts;
  const scaledCrops = Object.entries(cuts).map(([cropName, crop]) => {
    const center = { x: crop.x + crop.width / 2, y: crop.y + crop.height / 2 };
    const zoom = 100 / Math.max(crop.width, crop.height);
    return [cropName, createCropAround(picture, cropName as CropName, center, zoom)];
  });
  return Object.fromEntries(scaledCrops) as Crops;
}
