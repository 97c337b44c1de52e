/** Runs work on a site's files as the user who owns them. */
import { stat } from "node:fs/promises";

/** Runs work, as another user if necessary. */
export type AsOwner = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Root may replace the program, but the site runs as a less privileged user, who couldn't open files that root wrote.
 * For other users nothing changes.
 */
export async function asOwnerOf(folder: string): Promise<AsOwner> {
  const { uid, gid } = await stat(folder);
  if (process.getuid?.() !== 0 || uid === 0) return (work) => work();
  return async (work) => {
    process.setegid?.(gid);
    process.seteuid?.(uid);
    try {
      return await work();
    } finally {
      process.seteuid?.(0);
      process.setegid?.(0);
    }
  };
}
