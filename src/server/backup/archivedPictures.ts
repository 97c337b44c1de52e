/** The pictures that belong into an archive: those that its documents list, under their own names. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Content } from "../../schema/index.ts";
import { ifThere } from "../storage/disk.ts";
import { filesIn } from "../storage/folderContents.ts";
import {
  hiddenBy,
  isOriginalName,
  isVariantName,
  namesOf,
  stemOf,
  variantName,
} from "../storage/pictureNames.ts";
import type { LeftOut, StoredFile } from "../storage/store.ts";

type Uploads = Content<"uploads">;

/** What the archive should hold went for good while it was made. */
export class Moved extends Error {
  override readonly name = "Moved";
}

interface PicturesOptions {
  /** What the site lists by now. */
  readonly stillListed: () => Promise<Uploads>;
  readonly leftOut: LeftOut;
}

/**
 * The files of `listed`, also of a picture that was deleted since: its files stay for ten minutes, one of
 * them under a name that says so. Then what else lies in the folder, but nothing that is not yet listed,
 * or no longer: a start would remove it. A listed file that is lost is passed over. Throws `Moved`.
 */
export async function* picturesIn(
  folder: string,
  listed: Uploads,
  { stillListed, leftOut }: PicturesOptions,
): AsyncGenerator<StoredFile> {
  for (const upload of listed) {
    const { filename, widths } = upload;
    const variants = widths.map((width) => [variantName(filename, width)]);
    for (const names of [namesOf(filename), ...variants]) {
      const bytes = await readAny(folder, names);
      if (bytes) yield { path: names[0]!, bytes };
      else if (!(await stillListed()).some(({ id }) => id === upload.id)) throw new Moved();
    }
  }
  const present = (await readdir(folder)).filter(isOriginalName);
  const known = new Set([...listed, ...(await stillListed())].map((each) => stemOf(each.filename)));
  const foreign = new Set(present.map(stemOf).filter((stem) => !known.has(stem)));
  const isPassedOver = (path: string) =>
    hiddenBy(path) !== undefined ||
    ((isOriginalName(path) || isVariantName(path)) && !foreign.has(stemOf(path)));
  yield* filesIn(folder, { except: isPassedOver, leftOut });
}

/** A rename between two looks hides a file under the name looked at first. */
const LOOKS = 3;

async function readAny(folder: string, names: readonly string[]): Promise<Uint8Array | undefined> {
  for (let look = 0; look < LOOKS; look++)
    for (const name of names) {
      const bytes = await ifThere(readFile(join(folder, name)));
      if (bytes) return bytes;
    }
  return undefined;
}
