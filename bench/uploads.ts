/**
 * Measures the cost of a large picture: `bun bench/uploads.ts` uploads a picture of 12 megapixels while pages are
 * requested, then six pictures of 48 megapixels at once while it watches the memory, and prints how soon saved content
 * is on the page.
 */
import { FULL_HOUSE, readPicture } from "../tests/support/pictures.ts";
import { startProgram } from "../tests/support/program.ts";
import {
  measureDuring,
  measureTime,
  median,
  readMemory,
  summarizeFigures,
  printRow,
} from "./measure.ts";

const ROUNDS = Number(process.env["ROUNDS"] ?? 5);
const CONCURRENT_UPLOADS = 6;

const site = await startProgram({ hasSample: true, env: { RATE_LIMIT: "off" } });
try {
  const owner = await site.owner();
  const photograph = await createPhotograph(4000, 3000);
  const large = await createPhotograph(8000, 6000);

  const upload = async (bytes: Uint8Array<ArrayBuffer>, name: string) => {
    const form = new FormData();
    form.set("file", new File([bytes], name, { type: "image/jpeg" }));
    const { status, text } = await owner.post("/api/upload", form);
    if (status !== 201) throw new Error(`Returned ${status}: ${text}`);
  };

  // A warm-up: afterwards, frequently called code is compiled here and in the program.
  await measureDuring(measurePage, upload(photograph, "first.jpg"));
  await measureDuring(measurePage, Bun.sleep(3000));
  const quietTimes = await measureDuring(measurePage, Bun.sleep(3000));
  const [times, pages]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const work = () => upload(photograph, `photograph-${round}.jpg`);
    const measure = async () => void pages.push(...(await measureDuring(measurePage, work())));
    times.push(await measureTime(measure)); // oxlint-disable-line no-await-in-loop -- one after the other
  }
  const size = (photograph.length / 1024 / 1024).toFixed(1);
  printRow({
    what: `a picture of 12 megapixels (${size} MB), with all its sizes`,
    ...summarizeFigures(times, "ms"),
    goal: "600 ms",
  });
  const [longest, longestQuiet] = [Math.max(...pages), Math.max(...quietTimes)];
  printRow({
    what: "the longest a page took meanwhile",
    median: `${longest.toFixed(0)} ms; the middle one ${median(pages).toFixed(1)}, without uploads ${median(quietTimes).toFixed(1)} and ${longestQuiet.toFixed(0)}`,
    goal: "20 ms",
  });

  const readResidentMemory = async () => (await readMemory(site.pid)).resident;
  const all = Promise.all(
    Array.from({ length: CONCURRENT_UPLOADS }, (_, index) => upload(large, `large-${index}.jpg`)),
  );
  const memory = await measureDuring(readResidentMemory, all);
  printRow({
    what: `memory with ${CONCURRENT_UPLOADS} pictures of 48 megapixels at once, at most`,
    median: `${Math.max(...memory).toFixed(0)} MB`,
    goal: "250 MB",
  });

  const saved: number[] = [];
  for (let round = 0; round < 4 * ROUNDS; round++) saved.push(await measureSave(`Saved ${round}`)); // oxlint-disable-line no-await-in-loop
  printRow({
    what: "from a save to the page that shows it",
    ...summarizeFigures(saved, "ms"),
    goal: "30 ms",
  });

  function measureSave(mainTitle: string): Promise<number> {
    return measureTime(async () => {
      await owner.post("/api/hero", { mainTitle });
      while (!(await fetchPage()).includes(mainTitle)) await Bun.sleep(1); // oxlint-disable-line no-await-in-loop
    });
  }
} finally {
  await site.stop();
}

async function fetchPage(): Promise<string> {
  return (await fetch(site.url)).text();
}

function measurePage(): Promise<number> {
  return measureTime(fetchPage);
}

/** Creates a photograph of this size with a good camera's compression. */
async function createPhotograph(width: number, height: number): Promise<Uint8Array<ArrayBuffer>> {
  const image = new Bun.Image(await readPicture(FULL_HOUSE)).resize(width, height);
  return new Uint8Array(await image.jpeg({ quality: 85 }).bytes());
}
