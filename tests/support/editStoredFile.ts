/** Changes a stored file as the program would, checksum included. */
import { readFile, writeFile } from "node:fs/promises";
import { encodeEnvelope, type Envelope } from "../../src/server/storage/envelope.ts";

/** Changes a stored file. `change` gets the file's envelope without its checksum. */
export async function editStoredFile(
  file: string,
  change: (text: string) => string,
): Promise<void> {
  const { checksum: _, ...stored } = JSON.parse(await readFile(file, "utf8"));
  const { place, ...envelope } = JSON.parse(change(JSON.stringify(stored))) as Envelope<unknown> & {
    place: string;
  };
  await writeFile(file, encodeEnvelope(place, envelope));
}
