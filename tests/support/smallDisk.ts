/** A small disk for the tests of a file. */
import { afterAll } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Mounts a small disk and returns its folder; undefined if none can be mounted, which needs root. */
export async function mountSmallDisk(sizeMb: number): Promise<string | undefined> {
  if (!Bun.which("mount")) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "limelight-small-"));
  const mount = ["mount", "-t", "tmpfs", "-o", `size=${sizeMb}m`, "tmpfs", folder];
  const isMounted = (await Bun.spawn(mount, { stderr: "ignore" }).exited) === 0;
  const remove = async () => {
    if (isMounted) await Bun.spawn(["umount", "-l", folder]).exited;
    await rm(folder, { recursive: true });
  };
  if (!isMounted) return void (await remove());
  afterAll(remove);
  return folder;
}
