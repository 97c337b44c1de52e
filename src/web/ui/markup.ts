/** HTML shared by several scripts. It never contains untrusted content. */

/** Creates a close button. ui/Dialog.tsx renders the same button. */
export function createCloseButtonHtml(label: string): string {
  return `<button type="button" class="ui-close" aria-label="${label}">${createIconSvg("m4 4 8 8m0-8-8 8", 1.5)}</button>`;
}

/** Creates a line icon in a square of 16 units. `lineWidth` is in the same units. */
export function createIconSvg(path: string, lineWidth: number): string {
  return `<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" fill="none"><path d="${path}" stroke="currentColor" stroke-width="${lineWidth}" stroke-linecap="round"/></svg>`;
}

/** The arrow icons of the carousel and the large picture, in a square of 16 units. */
export const ARROW_PATHS = [
  { to: "previous", path: "m10 3-5 5 5 5" },
  { to: "next", path: "m6 3 5 5-5 5" },
] as const;
