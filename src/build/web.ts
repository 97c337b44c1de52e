/** Builds what browsers get: the entry and its chunks, style sheets, pictures and fonts, compressed. */
import { mkdir, readdir, rm } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import type { BuiltFile } from "../server/pages/builtFile.ts";
import type { WebBuild } from "../server/pages/webBuild.ts";
import type { ShellAssets } from "../web/shell.ts";
import { compressed } from "./compressed.ts";
import { collectFonts } from "./fonts.ts";
import { FORMS } from "./picoParts.ts";
import { buildPlatformIcons } from "./platformIcons.ts";
import { buildScripts } from "./scripts.ts";
import { buildStyles } from "./styles.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".woff2": "font/woff2",
  ".webp": "image/webp",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
};

/** Builds into `directory` and writes manifest.json there. Rejects with the bundler's messages. */
export async function buildWeb(directory: string): Promise<WebBuild> {
  await rm(directory, { recursive: true, force: true });
  const assets = join(directory, "assets");
  const fontFiles = join(directory, "fonts", "files");
  await mkdir(assets, { recursive: true });
  await mkdir(fontFiles, { recursive: true });
  const [scripts, siteStyles, previewStyles, adminStyles, pictures, platforms] = [
    await buildScripts(assets),
    await buildStyles("src/web/site/site.css", assets),
    await buildStyles("src/web/site/preview.css", assets, FORMS),
    await buildStyles("src/web/admin/admin.css", assets),
    await copyPictures(assets),
    await buildPlatformIcons(assets),
  ];
  const fonts = await collectFonts(fontFiles);
  const shell: ShellAssets = {
    ...scripts,
    siteStyles,
    previewStyles,
    adminStyles,
    pictures: { ...pictures, platforms },
  };
  const files = [
    ...(await listed(directory, "assets", "/assets")),
    ...(await listed(directory, "fonts/files", "/fonts/files")),
  ];
  const build: WebBuild = { shell, files, fonts };
  await Bun.write(join(directory, "manifest.json"), JSON.stringify(build));
  return build;
}

/** Copies the bundled pictures under a name with their hash: file name without ending -> address. */
async function copyPictures(outdir: string): Promise<Record<string, string>> {
  const from = "src/web/site/assets";
  const pictures: Record<string, string> = {};
  for (const name of await readdir(from).catch(() => [])) {
    const bytes = await Bun.file(join(from, name)).bytes();
    const hash = Bun.hash(bytes).toString(36).slice(0, 8);
    const hashed = `${basename(name, extname(name))}-${hash}${extname(name)}`;
    await Bun.write(join(outdir, hashed), bytes);
    pictures[basename(name, extname(name))] = `/assets/${hashed}`;
  }
  return pictures;
}

async function listed(directory: string, folder: string, url: string): Promise<BuiltFile[]> {
  const names = (await readdir(join(directory, folder))).filter((name) => TYPES[extname(name)]);
  return Promise.all(
    names.map(async (name) => ({
      url: `${url}/${name}`,
      type: TYPES[extname(name)]!,
      identity: `${folder}/${name}`,
      ...(await compressed(directory, `${folder}/${name}`)),
    })),
  );
}
