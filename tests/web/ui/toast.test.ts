/** The dashboard's single toast, by the clock (specification, section 9.1). */
import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { currentToast, dismissToast, showToast } from "../../../src/web/ui/toast.ts";

const FORGOTTEN_AFTER_MS = 1_000_000;

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  jest.useRealTimers();
  currentToast.value = null;
});

test("a dismissed toast is forgotten after 1,000,000 ms, and not before", () => {
  showToast({ title: "Saved" });
  jest.advanceTimersByTime(FORGOTTEN_AFTER_MS);
  expect(currentToast.value).toMatchObject({ title: "Saved", isOpen: true });
  dismissToast();
  jest.advanceTimersByTime(FORGOTTEN_AFTER_MS - 1);
  expect(currentToast.value).toMatchObject({ title: "Saved", isOpen: false });
  jest.advanceTimersByTime(1);
  expect(currentToast.value).toBeNull();
});

test("a toast is neither forgotten nor dismissed together with the dismissed toast that it replaced", () => {
  const first = showToast({ title: "Saved" });
  dismissToast();
  showToast({ title: "Deleted" });
  dismissToast(first);
  jest.advanceTimersByTime(2 * FORGOTTEN_AFTER_MS);
  expect(currentToast.value).toMatchObject({ title: "Deleted", isOpen: true });
});

/** Lines of the dashboard with a toast's text. */
const TOAST = /\b(?:success|failure): |toast(?:Success|Error|Failure)\(|Couldn't |Failed to /;

test("a toast of one sentence has no full stop, and a toast of several sentences ends with one", async () => {
  const texts: string[] = [];
  for (const file of new Bun.Glob("src/web/**/*.{ts,tsx}").scanSync("."))
    for (const line of (await Bun.file(file).text()).split("\n"))
      if (TOAST.test(line) && !/^ *(?:\*|\/)/.test(line))
        texts.push(
          ...Array.from(
            line.matchAll(/"([A-Z$][^"]* [^"]+)"|`([^`]+)`/g),
            ([, one, two]) => one ?? two ?? "",
          ),
        );
  expect(texts.length).toBeGreaterThan(100);
  const isSeveral = (text: string) => /[.!?] [A-Z$]/.test(text);
  expect(
    texts.filter(
      (text) => isSeveral(text) !== /(?<!\.\.)(?:[.!?]|\$\{FIRST_FRAME_ONLY_MESSAGE\})$/.test(text),
    ),
  ).toEqual([]);
});
