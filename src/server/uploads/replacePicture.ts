/** Puts a new picture where an old one is: its words, its cuts and its places stay. */
import pLimit from "p-limit";
import { type Cuts, cutAround, type Place } from "../../schema/pictures.ts";
import { gone, isRefusal } from "../shared/errors.ts";
import { whenFree } from "../shared/instances.ts";
import { entities } from "../../schema/index.ts";
import type { Store } from "../storage/store.ts";
import { pointTo } from "./pictureUse.ts";
import type { Upload, UploadLibrary, UploadWords } from "./uploadLibrary.ts";

interface ReplaceContext {
  readonly store: Store;
  readonly library: UploadLibrary;
}

type ReplacePicture = (old: string, bytes: Uint8Array, name: string) => Promise<Upload>;

/**
 * Returns what replaces a picture, known by its id. The new picture has an address of its own, since browsers
 * keep the old one's for a year. Whatever ends this in the middle, every place shows one of the two:
 *
 *   1. the new picture is stored, with the words of the old one
 *   2. all places that show the old address get the new one, at once; what fails there takes the new picture back
 *   3. the old picture is deleted, which can be undone like any deletion; it stays where a letter that has
 *      gone out shows it, and where it can't be deleted just now
 *
 * It throws `not_found`, what `library.add` throws, and `cannot_store`; nothing has changed then, but that a disk
 * which takes nothing may leave the new picture among the others.
 */
export function replacingPictures({ store, library }: ReplaceContext): ReplacePicture {
  // Two of one picture would both find it there: the second is told that it is gone, at whichever instance.
  const limit = pLimit(1);
  const inTurn = <R>(work: () => Promise<R>) =>
    limit(() => whenFree(store.instances, "replacing", PATIENCE_MS, work));
  return (id, bytes, name) =>
    inTurn(async () => {
      const old = library.list().find((each) => each.id === id);
      if (!old) throw gone(entities.uploads);
      // 1. What another instance did a moment ago is known inside the write alone.
      const upload = await library.add(bytes, name, {
        words: (stored) => wordsFor(stored, old),
        check(list) {
          if (!list.some((each) => each.id === id)) throw gone(entities.uploads);
        },
      });
      // 2.
      let isOut: boolean;
      try {
        isOut = await pointTo(upload.url, old.url, store);
      } catch (error) {
        await library.takeBack(upload).catch(() => undefined);
        throw error;
      }
      // 3. Another instance may have deleted it.
      if (!isOut) await library.remove(old.id).catch(unlessRefused);
      return upload;
    });
}

/** As long as it is waited for another instance that replaces one. */
const PATIENCE_MS = 10_000;

/** Every place shows the new picture by then, so the old one is only a file that nobody uses. */
function unlessRefused(error: unknown): void {
  if (!isRefusal(error, "not_found") && !isRefusal(error, "cannot_store")) throw error;
}

function wordsFor(stored: Upload, old: Upload): UploadWords {
  const { alt, decorative, kind, focus, originalName } = old;
  return {
    alt,
    decorative,
    kind,
    focus,
    originalName: withEndingOf(originalName, stored.filename),
    cuts: cutsFor(stored, old),
  };
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
