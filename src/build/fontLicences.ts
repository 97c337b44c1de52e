/** Gathers the licences that have to travel with the font files (SIL Open Font License §2). */
import { join } from "node:path";

const TITLE = "This Font Software is licensed under the SIL Open Font License, Version 1.1.";

/**
 * True when a changed file may carry the family's name: its authors reserve none (OFL §3) and are
 * named as Google's catalogue names a project's. The other families travel as they are.
 */
export async function mayBeChanged(directory: string): Promise<boolean> {
  const text = await Bun.file(join(directory, "LICENSE")).text();
  const copyright = text.slice(0, text.indexOf(TITLE));
  return / Project Authors /.test(copyright) && !/reserved font name/i.test(copyright);
}

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
