/** Does what touches a site's files as the user they belong to. */
import { stat } from "node:fs/promises";

/** Does some work, as another user where that is needed. */
export type AsOwner = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Root may replace the program, and the site belongs to a user with fewer rights: what root wrote into
 * its folders, the site could not open. For anybody else nothing changes.
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
