/** `limelight licences`: the licenses of everything in this program, which have to be distributed with it. */
import { join } from "node:path";
import { loadWebBuild, NOTICES_FILE } from "../pages/webBuild.ts";
import type { Command } from "./command.ts";

export const licences: Command = {
  name: "licences",
  summary: "shows the licenses of everything in this program",
  run: show,
};

async function show(): Promise<number> {
  const { directory } = await loadWebBuild();
  await Bun.write(Bun.stdout, Bun.file(join(directory, NOTICES_FILE)));
  return 0;
}
