/** Checks every picture's files after a start and daily, notifies the owner of damage, and removes failed uploads. */
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

/** Delays the first check, because a starting site has more urgent work. */
const FIRST_CHECK_DELAY_MS = 10_000;
/** The pause after each picture, as a multiple of the time that its check took. */
const PAUSE_FACTOR = 4;

export function startPictureChecks({ store, bin, pictures, log }: PictureChecksContext) {
  const listUploads = () => store.of(entities.uploads).read().value;
  /** The problems that the last check found, by the file name of the picture. */
  let problems: ReadonlyMap<string, PictureProblem> = new Map();

  async function checkAllPictures(): Promise<void> {
    await bin
      .runWithSweepPaused(() => removeLeftovers(pictures, () => readListedOriginals(store)))
      .catch((error: Error) => log(`uploads: removing leftovers failed (${error.message})`));
    const sizes = await readFileSizes(pictures);
    const problemsByName = new Map<string, PictureProblem>();
    for (const upload of listUploads()) {
      if (job.isStopping()) return;
      const startedAt = performance.now();
      const problem = await inspectPicture(pictures, upload, sizes);
      if (problem) problemsByName.set(upload.filename, problem);
      await Bun.sleep(PAUSE_FACTOR * (performance.now() - startedAt));
    }
    problems = problemsByName;
    for (const { message } of findNotices()) log(`uploads: ${message}`);
  }

  const checkAndLog = () =>
    checkAllPictures().catch((error: Error) =>
      log(`uploads: checking the pictures failed (${error.message})`),
    );
  const job = startPeriodicJob(DAY, checkAndLog);
  const firstTimer = setTimeout(job.runNow, FIRST_CHECK_DELAY_MS);
  firstTimer.unref();

  const findNotices = () => createNotices(listUploads(), problems);

  return {
    findNotices,
    /** Starts a check now. Resolves when all pictures have been checked. */
    async check() {
      job.runNow();
      await job.whenIdle();
    },
    stop() {
      clearTimeout(firstTimer);
      return job.stop();
    },
  };
}

const MAX_NAMED_PICTURES = 5;

function createNotices(
  uploads: readonly Item<"uploads">[],
  problems: ReadonlyMap<string, PictureProblem>,
): Notice[] {
  const damagedUploads = uploads.filter(({ filename }) => problems.has(filename));
  if (damagedUploads.length === 0) return [];
  const descriptions = damagedUploads
    .slice(0, MAX_NAMED_PICTURES)
    .map((upload) => `${formatPictureName(upload)} ${problems.get(upload.filename)}`);
  const remainingCount = damagedUploads.length - descriptions.length;
  const others =
    remainingCount === 1 ? "1 more image is damaged" : `${remainingCount} more images are damaged`;
  const allDescriptions = remainingCount > 0 ? [...descriptions, others] : descriptions;
  const [title, advice] =
    damagedUploads.length === 1
      ? ["An image is damaged", "Delete it in the dashboard and upload it again."]
      : ["Images are damaged", "Delete them in the dashboard and upload them again."];
  const message = `${allDescriptions.join(", ")}. ${advice}`;
  return [{ code: "picture_damaged", problem: "pictures", title, message }];
}
