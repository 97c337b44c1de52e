/** The pictures that are being added, wherever they were chosen; addPictures.ts adds them. */
import { signal } from "@preact/signals-react";
import type { Upload } from "./uploads.ts";

/** How far a file is. `sent`, `total` and `size` are bytes; `size` is what was sent in the end. */
export type AddingState =
  | { readonly step: "waiting" | "shrinking" }
  | { readonly step: "sending"; readonly sent: number; readonly total: number }
  | { readonly step: "added"; readonly upload: Upload; readonly size: number }
  /** `again`: the same file may go through at a second try. */
  | { readonly step: "refused"; readonly reason: string; readonly again: boolean };

/** One file; `place` is where it was chosen, `onAdded` hears of what the server has made of it. */
export interface Adding {
  readonly id: number;
  readonly place: string;
  readonly file: File;
  readonly onAdded?: ((upload: Upload) => void) | undefined;
  /** What is sent in its place, once that is made. */
  readonly picture?: File;
  readonly state: AddingState;
}

/** All files since they were dismissed, in the sequence they were chosen. */
export const addings = signal<readonly Adding[]>([]);

/** Those of one place. */
export const addingsOf = (place: string) => addings.value.filter((each) => each.place === place);

export const isOnTheWay = ({ state: { step } }: Adding) => step !== "added" && step !== "refused";

export const isRefused = ({ state: { step } }: Adding) => step === "refused";

/** Takes rows away, and what is on the way with them; only those that `which` is true for. */
export function dismiss(place: string, which: (adding: Adding) => boolean = () => true): void {
  const gone = addingsOf(place).filter(which);
  addings.value = addings.value.filter((each) => !gone.includes(each));
}
