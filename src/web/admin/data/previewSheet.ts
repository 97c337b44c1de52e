/** The height of the preview's bottom sheet on phones, for the sheet and the save bar. */
import { signal } from "@preact/signals-react";
import { useSignalValue } from "../../ui/useSignalValue.ts";

export type SheetHeight = "closed" | "half" | "full";

/** Null if no sheet is shown. At most one sheet exists, in the open tab. */
const sheetHeight = signal<SheetHeight | null>(null);

export const useSheetHeight = () => useSignalValue(sheetHeight);

export function setSheetHeight(height: SheetHeight | null): void {
  sheetHeight.value = height;
}
