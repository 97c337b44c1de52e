/**
 * Checks every picture's files once a day and soon after a start, and notifies the owner of damage, which would cause no
 * error. Also removes leftovers of interrupted uploads, since a site may run for months without a start.
 */
import { entities, type Item } from "../../schema/index.ts";
import type { Notice } from "../shared/notice.ts";
import type { Bin } from "../bin/bin.ts";
import { startPeriodicJob } from "../shared/periodicJob.ts";
import type { PictureStorage } from "../storage/pictures/pictureStorage.ts";
import {
  inspectPicture,
  formatPictureName,
  type PictureProblem,
  readFileSizes,
} from "../storage/pictures/pictureIntegrity.ts";
import type { Store } from "../storage/store.ts";
import { DAY } from "../shared/time.ts";
import { readListedOriginals, removeLeftovers } from "./uploadFiles.ts";

export type PictureChecks = ReturnType<typeof startPictureChecks>;

interface PictureChecksContext {
  readonly store: Store;
  readonly bin: Bin;
  readonly pictures: PictureStorage;
  readonly log: (line: string) => void;
}

/** The first check waits, since a start has more urgent work. */
const FIRST_CHECK_DELAY_MS = 10_000;
/** After each picture the check pauses for this many times as long as it took. */
const PAUSE_FACTOR = 4;

export function startPictureChecks({ store, bin, pictures, log }: PictureChecksContext) {
  const list = () => store.of(entities.uploads).read().value;
  /** By the file name of the picture. */
  let problems: ReadonlyMap<string, PictureProblem> = new Map();

  async function checkAllPictures(): Promise<void> {
    await bin
      .whileSweepPaused(() => removeLeftovers(pictures, () => readListedOriginals(store)))
      .catch((error: Error) => log(`uploads: removing leftovers failed (${error.message})`));
    const sizes = await readFileSizes(pictures);
    const faultsByName = new Map<string, PictureProblem>();
    for (const upload of list()) {
      if (job.isStopping()) return;
      const startedAt = performance.now();
      const fault = await inspectPicture(pictures, upload, sizes);
      if (fault) faultsByName.set(upload.filename, fault);
      await Bun.sleep(PAUSE_FACTOR * (performance.now() - startedAt));
    }
    problems = faultsByName;
    for (const { message } of findNotices()) log(`uploads: ${message}`);
  }

  const checkAndLog = () =>
    checkAllPictures().catch((error: Error) =>
      log(`uploads: checking the pictures failed (${error.message})`),
    );
  const job = startPeriodicJob(DAY, checkAndLog);
  const first = setTimeout(job.runNow, FIRST_CHECK_DELAY_MS);
  first.unref();

  const findNotices = () => createNotices(list(), problems);

  return {
    findNotices,
    /** Checks now; resolves when all pictures were checked. */
    async check() {
      job.runNow();
      await job.whenIdle();
    },
    stop() {
      clearTimeout(first);
      return job.stop();
    },
  };
}

const MAX_NAMED_PICTURES = 5;

function createNotices(
  uploads: readonly Item<"uploads">[],
  problems: ReadonlyMap<string, PictureProblem>,
): Notice[] {
  const faulty = uploads.filter(({ filename }) => problems.has(filename));
  if (faulty.length === 0) return [];
  const named = faulty
    .slice(0, MAX_NAMED_PICTURES)
    .map((upload) => `${formatPictureName(upload)} ${problems.get(upload.filename)}`);
  const more = faulty.length - named.length;
  const others = more === 1 ? "1 more image is damaged" : `${more} more images are damaged`;
  const all = more > 0 ? [...named, others] : named;
  const [title, subject] =
    faulty.length === 1
      ? ["An image is damaged", "Delete it in the dashboard and upload it again."]
      : ["Images are damaged", "Delete them in the dashboard and upload them again."];
  const message = `${all.join(", ")}. ${subject}`;
  return [{ code: "picture_damaged", problem: "pictures", title, message }];
}
