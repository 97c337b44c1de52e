/** The site's secret: 32 random bytes made at the first start, for signing. */
import { join } from "node:path";
import type { DataFolder } from "./dataFolder.ts";
import { ifThere } from "./disk.ts";
import { writeDurably } from "./writeDurably.ts";

const LENGTH = 32;

/** `installed`: a secret was there before, so making a new one is worth a line in the log. */
export async function openSecret(folder: DataFolder, installed: boolean): Promise<Uint8Array> {
  const path = join(folder.directory, "secret");
  const stored = await ifThere(folder.disk.read(path));
  if (stored?.length === LENGTH) return stored;
  if (installed) {
    folder.log(`storage: ${path} was missing or damaged; with a new one everyone logs in again`);
  }
  const secret = crypto.getRandomValues(new Uint8Array(LENGTH));
  const keep = { backup: "untouched" } as const;
  await folder.write("secret", () => writeDurably(folder.disk, path, secret, keep));
  return secret;
}
