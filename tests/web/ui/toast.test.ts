/** The dashboard's one toast, by the clock (specification, section 9.1). */
import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { currentToast, dismissToast, showToast } from "../../../src/web/ui/toast.ts";

const FORGOTTEN_AFTER = 1_000_000;

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  jest.useRealTimers();
  currentToast.value = null;
});

test("a dismissed toast is forgotten after 1,000,000 ms, and not before", () => {
  showToast({ title: "Saved" });
  jest.advanceTimersByTime(FORGOTTEN_AFTER);
  expect(currentToast.value).toMatchObject({ title: "Saved", open: true });
  dismissToast();
  jest.advanceTimersByTime(FORGOTTEN_AFTER - 1);
  expect(currentToast.value).toMatchObject({ title: "Saved", open: false });
  jest.advanceTimersByTime(1);
  expect(currentToast.value).toBeNull();
});

test("a toast that replaces it meanwhile is not forgotten with it, nor dismissed by its id", () => {
  const first = showToast({ title: "Saved" });
  dismissToast();
  showToast({ title: "Deleted" });
  dismissToast(first);
  jest.advanceTimersByTime(2 * FORGOTTEN_AFTER);
  expect(currentToast.value).toMatchObject({ title: "Deleted", open: true });
});
