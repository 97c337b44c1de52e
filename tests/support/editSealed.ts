/** Changes a stored file as the program would, checksum included. */
import { readFile, writeFile } from "node:fs/promises";
import { encode, type Envelope } from "../../src/server/storage/envelope.ts";

/** `change` gets the file's envelope without its checksum. */
export async function editSealed(file: string, change: (text: string) => string): Promise<void> {
  const { checksum: _, ...stored } = JSON.parse(await readFile(file, "utf8"));
  const { place, ...envelope } = JSON.parse(change(JSON.stringify(stored))) as Envelope<unknown> & {
    place: string;
  };
  await writeFile(file, encode(place, envelope));
}
