/** The height of the preview's bottom sheet on phones, which the save bar can change too. */
import { signal } from "@preact/signals-react";
import { useSignalValue } from "../../ui/useSignalValue.ts";

export type SheetHeight = "closed" | "half" | "full";

const sheetHeight = signal<SheetHeight>("closed");

/** The number of mounted sheets: at most one, that of the open tab. */
const sheetCount = signal(0);

export const useSheetHeight = () => useSignalValue(sheetHeight);

export const useHasSheet = () => useSignalValue(sheetCount) > 0;

export function setSheetHeight(height: SheetHeight): void {
  sheetHeight.value = height;
}

/** Counts a mounted sheet. Returns a function that removes it and closes the sheet. */
export function registerSheet(): () => void {
  sheetCount.value += 1;
  return () => {
    sheetCount.value -= 1;
    sheetHeight.value = "closed";
  };
}
