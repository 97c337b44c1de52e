/** Gathers the licences that have to travel with the font files (SIL Open Font License §2). */
import { join } from "node:path";

const TITLE = "This Font Software is licensed under the SIL Open Font License, Version 1.1.";

/**
 * The copyright lines of the packages, then the licence they share, once.
 * Rejects when a package is under another licence, so that this never passes unseen.
 */
export async function fontLicences(packages: string[]): Promise<string> {
  const texts = await Promise.all(
    packages.map(async (directory) => {
      const text = await Bun.file(join(directory, "LICENSE")).text();
      const at = text.indexOf(TITLE);
      if (at < 0) throw new Error(`${directory} is not under the SIL Open Font License 1.1.`);
      return { copyright: text.slice(0, at).trim(), licence: text.slice(at) };
    }),
  );
  return [...texts.map(({ copyright }) => copyright), texts[0]?.licence ?? ""].join("\n\n");
}
