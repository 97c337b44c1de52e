/** The height of the preview's bottom sheet on phones, which the save bar can change too. */
import { signal } from "@preact/signals-react";
import { useSignalValue } from "../../ui/useSignalValue.ts";

export type SheetHeight = "closed" | "half" | "full";

/** Null without a sheet. At most one is mounted, that of the open tab. */
const sheetHeight = signal<SheetHeight | null>(null);

export const useSheetHeight = () => useSignalValue(sheetHeight);

export function setSheetHeight(height: SheetHeight | null): void {
  sheetHeight.value = height;
}
