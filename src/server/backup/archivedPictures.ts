/** The pictures of an archive: those its documents list, and those in the bin. */
import type { Content } from "../../schema/index.ts";
import {
  findOriginalName,
  isOriginalName,
  isVariantName,
  possibleOriginalNames,
  pictureStem,
  UNLISTED_EXTENSION,
  variantName,
} from "../storage/pictures/pictureNames.ts";
import type { PictureStorage } from "../storage/pictures/pictureStorage.ts";
import type { ReportLeftOut, StoredFile } from "../storage/store.ts";

export type Uploads = Content<"uploads">;

/** Some of the archive's contents was permanently deleted while it was written. */
export class SourceChanged extends Error {
  override readonly name = "Moved";
}

interface PicturesOptions {
  readonly listed: Uploads;
  /** Pictures in the bin. */
  readonly deleted: Uploads;
  /** The pictures now listed or in the bin. */
  readonly readReferencedUploads: () => Promise<Uploads>;
  readonly reportLeftOut: ReportLeftOut;
  /** Skips a picture that is permanently deleted meanwhile, where the archive can't be restarted. */
  readonly passesOver: boolean;
}

/**
 * The files of listed pictures, even of one deleted since: it is renamed in storage, and has its own name in the
 * archive. Then those in the bin, hidden. Then other files there, except pictures not listed yet or no longer: a start
 * would remove them. Lost files are skipped. Throws `SourceChanged`.
 */
export async function* readArchivedPictures(
  storage: PictureStorage,
  { listed, deleted, readReferencedUploads, reportLeftOut, passesOver }: PicturesOptions,
): AsyncGenerator<StoredFile> {
  const isListed = new Set(listed.map(({ id }) => id));
  const hidden = deleted.filter(({ id }) => !isListed.has(id));
  for (const upload of [...listed, ...hidden]) {
    const { id, filename, widths } = upload;
    const path = isListed.has(id) ? filename : filename + UNLISTED_EXTENSION;
    const variants = widths.map((width) => variantName(filename, width));
    const wanted = [{ path, names: possibleOriginalNames(filename) }].concat(
      variants.map((variant) => ({ path: variant, names: [variant] })),
    );
    for (const { path, names } of wanted) {
      const bytes = await readFirstAvailable(storage, names);
      if (bytes) yield { path, bytes };
      else if (passesOver)
        reportLeftOut(path, "it was permanently deleted while the archive was being made");
      else if (!(await readReferencedUploads()).some((each) => each.id === id))
        throw new SourceChanged();
    }
  }
  const present = (await storage.listNames()).filter(isOriginalName);
  const used = [...listed, ...hidden, ...(await readReferencedUploads())];
  const usedStems = new Set(used.map(({ filename }) => pictureStem(filename)));
  const foreign = new Set(present.map(pictureStem).filter((stem) => !usedStems.has(stem)));
  const isPassedOver = (path: string) =>
    findOriginalName(path) !== undefined ||
    ((isOriginalName(path) || isVariantName(path)) && !foreign.has(pictureStem(path)));
  yield* storage.readOtherFiles(isPassedOver, reportLeftOut);
}

/** A rename between two reads hides a file under the name tried first. */
const MAX_READ_ATTEMPTS = 3;

async function readFirstAvailable(
  { read }: PictureStorage,
  names: readonly string[],
): Promise<Uint8Array | undefined> {
  for (let attempt = 0; attempt < MAX_READ_ATTEMPTS; attempt++)
    for (const name of names) {
      const bytes = await read(name);
      if (bytes) return bytes;
    }
  return undefined;
}
