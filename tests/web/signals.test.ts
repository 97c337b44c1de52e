/** A component can't forget to subscribe to a signal: only a few files read signals, and others use their hooks. */
import { expect, test } from "bun:test";

const SOURCE = "src/web/";

/** The files of src/web by their path. */
const texts = new Map(
  [...new Bun.Glob("**/*.{ts,tsx}").scanSync(SOURCE)].map((path) => [path, ""] as [string, string]),
);
for (const path of texts.keys()) texts.set(path, await Bun.file(SOURCE + path).text());

/** Files that may read signals; of the enquiry form only those that hold its state. */
const READERS = [
  /^admin\/data\/[^/]+\.ts$/,
  /^ui\/[^/]+\.ts$/,
  /^site\/enquiry\/(?:enquiryState|countrySearchState|storedAnswers|useEnquiry)\.ts$/,
];

const isReader = (path: string) => READERS.some((reader) => reader.test(path));

const findDisallowed = (isAllowed: (path: string) => boolean, sign: RegExp) =>
  [...texts].flatMap(([path, text]) => (!isAllowed(path) && sign.test(text) ? [path] : []));

test("signals and the hook that reads them are imported only by modules that hold state", () => {
  expect([...texts.keys()].filter(isReader).length).toBeGreaterThan(30);
  expect(findDisallowed(isReader, /@preact\/signals|useSignalValue\.ts/)).toEqual([]);
});

test("useSignals, which components could forget, is called only by the enquiry's hooks", () => {
  const isHook = (path: string) =>
    /^site\/enquiry\/(?:countrySearchState|useEnquiry)\.ts$/.test(path);
  expect(findDisallowed(isHook, /\buseSignals\(\)/)).toEqual([]);
});

test("an exported signal is imported only by modules that hold state, so components use hooks", () => {
  const signals = [...texts].flatMap(([path, text]) =>
    [...text.matchAll(/^export const (\w+) = (?:signal|computed)\b/gm)].map(([, name]) => ({
      path,
      name,
    })),
  );
  expect(signals.map(({ name }) => name)).toContain("drafts");
  for (const { path, name } of signals) {
    const [file] = path.split("/").slice(-1);
    const sign = new RegExp(String.raw`import \{[^}]*\b${name}\b[^}]*\} from "[^"]*/${file}"`);
    expect(findDisallowed(isReader, sign)).toEqual([]);
  }
});

test("components of the enquiry form get their state by a hook, not as a prop", () => {
  const isComponent = /^site\/enquiry\/.*\.tsx$/;
  const sign = /readonly \w+: (?:EnquiryState|CountrySearchState)\b/;
  expect(findDisallowed((path) => !isComponent.test(path), sign)).toEqual([]);
});
