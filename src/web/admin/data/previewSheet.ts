/** The height of the preview's bottom sheet on phones. The save bar can change it too. */
import { signal } from "@preact/signals-react";
import { useSignalValue } from "../../ui/useSignalValue.ts";

export type SheetHeight = "closed" | "half" | "full";

/** Null without a sheet. At most one sheet is mounted, in the open tab. */
const sheetHeight = signal<SheetHeight | null>(null);

export const useSheetHeight = () => useSignalValue(sheetHeight);

export function setSheetHeight(height: SheetHeight | null): void {
  sheetHeight.value = height;
}
