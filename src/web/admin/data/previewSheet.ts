/** The preview's sheet on a phone: its height, which the save bar can change too. */
import { signal } from "@preact/signals-react";
import { useSignalValue } from "../../ui/useSignalValue.ts";

export type SheetHeight = "closed" | "half" | "full";

const sheetHeight = signal<SheetHeight>("closed");

/** The number of sheets of the open tab: one or none. */
const sheetCount = signal(0);

export const useSheetHeight = () => useSignalValue(sheetHeight);

/** Whether the open tab has a sheet. */
export const useHasSheet = () => useSignalValue(sheetCount) > 0;

export function setSheetHeight(height: SheetHeight): void {
  sheetHeight.value = height;
}

/** Counts a sheet that is shown; returns a function that takes it away, closed. */
export function registerSheet(): () => void {
  sheetCount.value += 1;
  return () => {
    sheetCount.value -= 1;
    sheetHeight.value = "closed";
  };
}
