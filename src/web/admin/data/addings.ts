/** Files being added, from anywhere in the dashboard; addPictures.ts adds them. */
import { signal } from "@preact/signals-react";
import { useSignalValue } from "../../ui/useSignalValue.ts";
import type { Upload } from "./uploads.ts";

/** A file's progress. `sent`, `total` and `size` are bytes; `size` is that of the uploaded file. */
export type AddingState =
  | { readonly step: "waiting" | "shrinking" }
  | { readonly step: "sending"; readonly sent: number; readonly total: number }
  | {
      readonly step: "added";
      readonly upload: Upload;
      readonly size: number;
      /** Whether it was an animation. */
      readonly isStill: boolean;
    }
  /** `again`: a retry may succeed. */
  | { readonly step: "refused"; readonly reason: string; readonly again: boolean };

/** One file; `place` is where it was chosen, `onAdded` gets the stored upload. */
export interface Adding {
  readonly id: number;
  readonly place: string;
  readonly file: File;
  readonly onAdded?: ((upload: Upload) => void) | undefined;
  /** The file uploaded instead, once it is made. */
  readonly picture?: File;
  readonly state: AddingState;
}

/** All files not dismissed, in the order chosen. */
export const addings = signal<readonly Adding[]>([]);

const isAt = (place: string) => (each: Adding) => each.place === place;

/** Files of one place. */
export const useAddings = (place: string): readonly Adding[] =>
  useSignalValue(addings).filter(isAt(place));

/** Like `useAddings`, outside of rendering. */
export const addingsOf = (place: string) => addings.value.filter(isAt(place));

export const isOnTheWay = ({ state: { step } }: Adding) => step !== "added" && step !== "refused";

export const isRefused = ({ state: { step } }: Adding) => step === "refused";

/** Removes rows, and cancels their uploads; only those that `which` returns true for. */
export function dismiss(place: string, which: (adding: Adding) => boolean = () => true): void {
  const gone = addingsOf(place).filter(which);
  addings.value = addings.value.filter((each) => !gone.includes(each));
}
