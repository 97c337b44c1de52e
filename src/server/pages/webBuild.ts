/** What `build.ts` made for the browser, as its manifest describes it. */
import { join } from "node:path";
import type { ShellAssets } from "../../web/entry-server.tsx";
import type { BuiltFile } from "./builtFile.ts";
import { embeddedWeb } from "./embeddedWeb.ts";
import type { FontCatalogue } from "./fontCatalogue.ts";

/** The manifest of a web build. */
export interface WebBuild {
  readonly shell: ShellAssets;
  readonly files: readonly BuiltFile[];
  readonly fonts: FontCatalogue;
}

/** The build inside the executable, else the one in dist/web. Rejects with words when there is none. */
export async function loadWebBuild(directory = "dist/web"): Promise<WebBuild> {
  if (embeddedWeb) return embeddedWeb;
  const manifest = Bun.file(join(directory, "manifest.json"));
  if (!(await manifest.exists())) {
    throw new Error(`There is no web build in ${directory}. Run "bun run build" first.`);
  }
  const build = (await manifest.json()) as WebBuild;
  return { ...build, files: build.files.map((file) => located(file, directory)) };
}

function located(file: BuiltFile, directory: string): BuiltFile {
  const at = (path: string | undefined) => (path === undefined ? undefined : join(directory, path));
  return { ...file, identity: at(file.identity)!, gzip: at(file.gzip), br: at(file.br) };
}
