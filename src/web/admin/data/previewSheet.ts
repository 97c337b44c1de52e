/** The height of the preview's bottom sheet on phones. The sheet and the save bar change the height. */
import { signal } from "@preact/signals-react";
import { useSignalValue } from "../../ui/useSignalValue.ts";

export type SheetHeight = "closed" | "half" | "full";

/** The current height, or null if no sheet is shown. At most one sheet exists, in the open tab. */
const sheetHeight = signal<SheetHeight | null>(null);

export const useSheetHeight = () => useSignalValue(sheetHeight);

export function setSheetHeight(height: SheetHeight | null): void {
  sheetHeight.value = height;
}
