/** Hands a file made in the browser to its downloads. */

/** How long the browser may take to begin, in milliseconds. */
const LONG_ENOUGH = 60_000;

/** Downloads `content` under a name. */
export function download(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), LONG_ENOUGH);
}
