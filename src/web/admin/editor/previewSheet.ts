/** The height of the preview's sheet on a phone; the save bar can open it too. */
import { signal } from "@preact/signals-react";

export type SheetHeight = "closed" | "half" | "full";

export const sheetHeight = signal<SheetHeight>("closed");

/** How many sheets the open tab has: one or none. */
export const sheetCount = signal(0);
