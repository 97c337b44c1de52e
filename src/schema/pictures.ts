/** What pages need to know of an uploaded picture. */

/** What a page needs to show an uploaded picture without a jump and in the right size. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly widths: readonly number[];
  readonly placeholder: string;
  /** "dark" or "light": how a see-through picture is drawn; empty or missing for all others. */
  readonly tone?: string;
}

export type Pictures = Readonly<Record<string, Picture>>;

/** The address of one WebP variant of an upload. */
export function variantUrl(url: string, width: number): string {
  return `${url.replace(/\.\w+$/, "")}-${width}.webp`;
}
