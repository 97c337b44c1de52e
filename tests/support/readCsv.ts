/** Reads an exported file as a spreadsheet program does. */
import Papa from "papaparse";
import type { Download } from "playwright-core";

/** Returns the cells of a downloaded CSV file. The file must begin with a byte order mark. */
export async function readCsv(download: Download): Promise<string[][]> {
  const bytes = await Bun.file(await download.path()).bytes();
  if (Buffer.from(bytes.subarray(0, 3)).toString("hex") !== "efbbbf")
    throw new Error("The file does not begin with a byte order mark.");
  return Papa.parse<string[]>(new TextDecoder().decode(bytes)).data;
}
