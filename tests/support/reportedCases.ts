/** The inputs of reported cases. They are beside the checkout in `shared/cases`, in a folder for each case. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../..");

/** The folder of the cases; undefined if it doesn't exist. */
const CASES_FOLDER = ["..", "../.."]
  .map((up) => join(ROOT, up, "shared/cases"))
  .find((folder) => existsSync(folder));

export const HAS_CASES = CASES_FOLDER !== undefined;

/** The reason for a skip, used as a test's name. */
export const SKIP_REASON = "skipped: shared/cases isn't beside this checkout";

export const listCaseNames = (): string[] =>
  CASES_FOLDER === undefined ? [] : readdirSync(CASES_FOLDER).toSorted();

const getCasePath = (name: string, file: string) => join(CASES_FOLDER ?? "", name, file);

/** Returns a case's file as text, without its last line break. */
export const readCaseText = (name: string, file = "input.txt"): string =>
  readFileSync(getCasePath(name, file), "utf8").replace(/\n$/, "");

/** Returns the lines of a case's input, each of which is tried separately. */
export const readCaseLines = (name: string): string[] => readCaseText(name).split("\n");

export const readCaseBytes = (name: string, file: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(getCasePath(name, file)));

const BROWSER_TEST = "tests/reportedCases.browser.test.ts";

/** The test that tries a case's input in a browser, by the case's name. */
export const BROWSER_TESTS: Readonly<Record<string, readonly [file: string, title: string]>> = {
  "F01-google-docs-bold": [BROWSER_TEST, "F01-google-docs-bold"],
  "F02-word-list": [BROWSER_TEST, "F02-word-list"],
  "F05-mailto-link": [BROWSER_TEST, "F05-mailto-link"],
  "F06-html-like-text": [BROWSER_TEST, "F06-html-like-text"],
  "F22-silent-autofill": [
    "tests/web/admin/frame/dashboard.browser.test.ts",
    "a login works with input that a password manager fills in without events, even before the page's first response",
  ],
  "F23-plain-http-note": [
    "tests/web/admin/frame/plainHttp.browser.test.ts",
    "over unencrypted HTTP an owner's note is added to an enquiry only once",
  ],
  "F24-ime-enter": [
    "tests/web/admin/tabs/builder.browser.test.ts",
    "Enter saves and Escape cancels a step, unless the keys belong to an input method",
  ],
  "F29-type-missing": [BROWSER_TEST, "F29-type-missing"],
  "F30-wrong-ending": [BROWSER_TEST, "F30-wrong-ending"],
  "F41-pasted-too-long": [BROWSER_TEST, "F41-pasted-too-long"],
  "P01-display-p3": [BROWSER_TEST, "P01-display-p3"],
  "P05-depths": [BROWSER_TEST, "P05-depths"],
  "P08-storage-blocked": [BROWSER_TEST, "P08-storage-blocked"],
  "P10-early-autofill": [BROWSER_TEST, "P10-early-autofill"],
  "P11-double-click": [BROWSER_TEST, "P11-double-click"],
  "P18-caption": [BROWSER_TEST, "P18-caption"],
  "P19-notes-gmail-notion": [BROWSER_TEST, "P19-notes-gmail-notion"],
};
