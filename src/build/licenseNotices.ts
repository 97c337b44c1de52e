/** The licenses of everything in the program, as the MIT, BSD, Apache and font licenses require. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { LICENSE_END } from "../server/accounts/usernames.ts";
import { findProgramPackages } from "./billOfMaterials.ts";

const ROOT = join(import.meta.dir, "../..");

/** The package of Bun's runtime contains no license text, but Bun's authors list the libraries in it. */
const RUNTIME_NOTICE = `Bun ${Bun.version}, the runtime (https://bun.com), is under the MIT license. It is linked with
JavaScriptCore and other parts of WebKit and with TinyCC, which are under the LGPL 2 and 2.1, and with libraries
under the MIT, BSD, Apache 2.0, zlib and ICU licenses. The list of these, their licenses and how to relink it
with modified ones are at https://github.com/oven-sh/bun/blob/bun-v${Bun.version}/LICENSE.md; Limelight's own
source builds with such a runtime as with any other.`;

/** Packages without a license text, whose licenses only require a link to the source. */
const NOTICES_WITHOUT_TEXT: Readonly<Record<string, string>> = {
  "@resvg/resvg-wasm": `is under the Mozilla Public License 2.0 (https://mozilla.org/MPL/2.0/) and is included
unmodified. Its source is at https://github.com/thx/resvg-js, that of resvg, on which it is based, at
https://github.com/linebender/resvg.`,
};

/** Our file that contains Unicode's data, and begins with its license. */
const CONFUSABLES_PATH = join(ROOT, "src/server/accounts/confusables.txt");

const SEPARATOR_LINE = "-".repeat(80);

/**
 * Returns the licenses of Limelight, the runtime, Unicode's data and all packages in the program. Packages with the
 * same license text share it. Rejects if a package has no license text.
 */
export async function createLicenseNotices(): Promise<string> {
  const byText = new Map<string, string[]>();
  for (const { name, version, folder } of await findProgramPackages()) {
    const text =
      NOTICES_WITHOUT_TEXT[name] ??
      (await readLicenseTexts(folder)).map((each) => each.trim()).join("\n\n");
    if (text === "") throw new Error(`${name} ${version} includes no license text.`);
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version}`]);
  }
  const license = (await readFile(join(ROOT, "LICENSE"), "utf8")).trim();
  const parts = [...byText].map(([text, names]) => `${names.join("\n")}\n\n${text}`);
  const [unicodeLicense = ""] = (await readFile(CONFUSABLES_PATH, "utf8")).split(LICENSE_END);
  return `${[`Limelight\n\n${license}`, RUNTIME_NOTICE, unicodeLicense.trim(), ...parts].join(`\n\n${SEPARATOR_LINE}\n\n`)}\n`;
}

const LICENSE_FILE_PATTERN = /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i;
const LICENSE_HEADING_PATTERN = /^(?:#+ *Licen[cs]e *$|Licen[cs]e *\n-+ *$)/im;

/** Returns a package's license files, or the license section of its README. */
async function readLicenseTexts(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  const files = names.filter((name) => LICENSE_FILE_PATTERN.test(name)).toSorted();
  if (files.length > 0)
    return Promise.all(files.map((name) => readFile(join(folder, name), "utf8")));
  const readme = names.find((name) => /^readme/i.test(name));
  const text = readme ? await readFile(join(folder, readme), "utf8") : "";
  const section = text.slice(text.search(LICENSE_HEADING_PATTERN));
  return /Permission is hereby granted/.test(section) ? [section] : [];
}
