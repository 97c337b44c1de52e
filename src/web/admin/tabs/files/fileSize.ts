/** File sizes as spec section 9 shows them: B, KB, MB or GB with one decimal place. */

const UNITS = ["B", "KB", "MB", "GB"] as const;

/** "312.4 KB" for a number of bytes. */
export function fileSize(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log(bytes) / Math.log(1024)), 3);
  return `${(bytes / 1024 ** power).toFixed(1)} ${UNITS[power]}`;
}
