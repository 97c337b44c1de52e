/** A file that is dropped on a place that doesn't accept files. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "bun:test";
import type { Locator } from "playwright-core";
import type { TestPage } from "./browser.ts";

/** Drops a picture on an element, and expects that the page refuses it and stays. */
export async function expectRefusedFile(
  page: TestPage,
  element: Locator,
  bytes: Uint8Array,
): Promise<void> {
  const target = (await element.boundingBox())!;
  const folder = await mkdtemp(join(tmpdir(), "limelight-dropped-"));
  const path = join(folder, "missed.jpg");
  await writeFile(path, bytes);
  const opened: string[] = [];
  page.on("framenavigated", (frame) => opened.push(frame.url()));
  page.context().on("page", (other) => opened.push(other.url()));
  const session = await page.context().newCDPSession(page);
  const drag = (type: "dragEnter" | "dragOver" | "drop") =>
    session.send("Input.dispatchDragEvent", {
      type,
      x: target.x + 5,
      y: target.y + 5,
      data: { items: [], files: [path], dragOperationsMask: 1 },
    });
  const isRefused = page.evaluate(
    () =>
      new Promise((resolve) =>
        window.addEventListener("dragover", (event) =>
          setTimeout(resolve, 0, event.defaultPrevented),
        ),
      ),
  );
  await drag("dragEnter");
  await drag("dragOver");
  expect(await isRefused).toBe(true);
  await drag("drop");
  await page.waitUntilSettled();
  expect(opened).toEqual([]);
  expect(await element.isVisible()).toBe(true);
  await rm(folder, { recursive: true });
}
