/** Builds the browsers' files: scripts, style sheets, pictures and fonts, compressed. */
import { mkdir, readdir, rm } from "node:fs/promises";
import { basename, extname, join, resolve } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { type FontCatalogue, OUTLINES_FOLDER } from "../server/pages/fontCatalog.ts";
import {
  type BuiltFile,
  NOTICES_FILE,
  PICTURES_PATH,
  type WebManifest,
} from "../server/pages/webBuild.ts";
import type { ShellAssets } from "../web/shared/shell.ts";
import { collectFonts } from "./fonts.ts";
import { notices } from "./notices.ts";
import { collectOutlines } from "./outlines.ts";
import { buildPlatformIcons } from "./platformIcons.ts";
import { inlineStep, scriptSteps, workerStep } from "./scripts.ts";
import { type Step, step } from "./step.ts";
import { addStyles, ARTICLES, BELOW, buildStyles, BUTTONS, FORMS } from "./styles.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};

interface WebOptions {
  /** For rebuilding on every change: nothing is minified, and existing fonts are reused. */
  readonly quick?: boolean;
}

/** Builds into `directory` with a manifest.json. Rejects with the bundler's messages. */
export const buildWeb = (directory: string): Promise<WebManifest> => webBuild(directory)();

/** Like `buildWeb`, but repeatable: given the changed files, it only rebuilds their outputs. */
export function webBuild(directory: string, { quick = false }: WebOptions = {}): Step<WebManifest> {
  const assets = join(directory, "assets");
  const scripts = scriptSteps(assets, { quick });
  const [inline, worker] = [inlineStep(), workerStep()];
  const styles = step(() => buildSheets(assets), isSheet);
  const pictures = step(
    () => copyPictures(join(directory, PICTURES_PATH)),
    (path) => path.startsWith(resolve(PICTURES)),
  );
  const platforms = step(() => buildPlatformIcons(assets), isNever);
  const licences = step(
    async () => Bun.write(join(directory, NOTICES_FILE), await notices()),
    isNever,
  );
  let fonts: FontCatalogue | undefined;
  return async (changed) => {
    if (!changed) {
      fonts = quick ? await fontsIn(directory) : undefined;
      await rm(fonts ? assets : directory, { recursive: true, force: true });
      await mkdir(assets, { recursive: true });
    }
    const shell: ShellAssets = {
      ...(await scripts(changed)),
      ...(await styles(changed)),
      pictures: { ...(await pictures(changed)), platforms: await platforms(changed) },
    };
    fonts ??= await buildFonts(directory);
    const files = [
      ...(await filesAt("/assets", directory, quick ? undefined : compress)),
      ...(await filesAt("/fonts/files", directory)),
    ];
    const build: WebManifest = {
      shell,
      inline: {
        ...(await inline(changed)),
        extraStyles: await textsOf(shell.extraStyles, directory),
      },
      worker: await worker(changed),
      files,
      fonts,
    };
    await Bun.write(join(directory, "manifest.json"), JSON.stringify(build));
    await licences(changed);
    return build;
  };
}

/** Any sheet: one may be in several outputs, and import others. */
const isSheet = (path: string) => path.endsWith(".css");
const isNever = () => false;

async function buildSheets(assets: string) {
  return {
    siteStyles: await buildStyles("site", await ofSite(), assets, BUTTONS),
    figureStyles: await addStyles("figure", FIGURE, assets),
    notFoundStyles: await addStyles("notFound", [NOT_FOUND], assets),
    heroStyles: await buildStyles(
      "hero",
      ofHero(),
      assets,
      [...FORMS, ...BUTTONS, ...BELOW],
      NEVER_MET,
    ),
    previewStyles: await buildStyles(
      "preview",
      await ofSections(),
      assets,
      [...FORMS, ...BUTTONS],
      NEVER_MET,
    ),
    adminStyles: await buildStyles("admin", ["src/web/admin/admin.css"], assets, [
      ...BUTTONS,
      ...ARTICLES,
    ]),
    extraStyles: await buildExtraStyles(assets),
  };
}

/** The files at these URLs as texts, by the same keys. */
async function textsOf(urls: Readonly<Record<string, string>>, directory: string) {
  const texts = Object.entries(urls).map(
    async ([key, url]) => [key, await Bun.file(join(directory, url)).text()] as const,
  );
  return Object.fromEntries(await Promise.all(texts));
}

/** The fonts of an existing, complete build. */
async function fontsIn(directory: string): Promise<FontCatalogue | undefined> {
  const manifest = Bun.file(join(directory, "manifest.json"));
  return (await manifest.exists()) ? ((await manifest.json()) as WebManifest).fonts : undefined;
}

async function buildFonts(directory: string): Promise<FontCatalogue> {
  const files = join(directory, "fonts", "files");
  await mkdir(files, { recursive: true });
  const fonts = await collectFonts(files);
  await collectOutlines(fonts, files, join(directory, OUTLINES_FOLDER));
  return fonts;
}

/** The files served at `url`; `compressed` writes a file's compressed forms beside it, and returns whether it did. */
async function filesAt(
  url: string,
  directory: string,
  compressed = async (_path: string) => false,
): Promise<BuiltFile[]> {
  const folder = join(directory, url);
  const files = (await readdir(folder)).flatMap((name) => {
    const type = TYPES[extname(name)];
    return type ? [{ name, type }] : [];
  });
  return Promise.all(
    files.map(async ({ name, type }) => ({
      url: `${url}/${name}`,
      type,
      compressed: await compressed(join(folder, name)),
    })),
  );
}

/** Writes `.br` and `.gz` beside a text file, at the best level; false if they wouldn't be smaller. */
async function compress(path: string): Promise<boolean> {
  if (!/\.(js|css|svg)$/.test(path)) return false;
  const bytes = await Bun.file(path).bytes();
  const br = brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
  if (br.length >= bytes.length) return false;
  await Bun.write(`${path}.br`, br);
  await Bun.write(`${path}.gz`, gzipSync(bytes, { level: 9 }));
  return true;
}

/** Shared by the site and the dashboard; each side's own rules follow. */
const UI = "src/web/ui/ui.css";

/** Previews are on screens, and run no scripts. */
const NEVER_MET = /print|scripting/;

/** Overlays, and a one-time animation: no preview shows them. */
const NEVER_PREVIEWED = [
  "src/web/site/gallery/LargePicture.css",
  "src/web/site/sections/HeroEntrance.css",
];

/** The sheets of what can be previewed, each beside its component: new ones are included automatically. */
async function ofSections(): Promise<string[]> {
  const folders = ["src/web/site/parts", "src/web/site/gallery", "src/web/site/sections"];
  const sheets = await sheetsIn(...folders);
  return [
    "src/web/ui/plainButtons.css",
    ...sheets.filter((sheet) => ![...NEVER_PREVIEWED, ...FIGURE].includes(sheet)),
  ];
}

/** The sheets of the home page's hero, with which the dashboard opens; the rest can wait. */
function ofHero(): string[] {
  const parts = ["page", "layout", "Photo", "CallToAction"].map(
    (name) => `src/web/site/parts/${name}.css`,
  );
  const hero = ["Hero", "HeroLayouts"].map((name) => `src/web/site/sections/${name}.css`);
  return ["src/web/ui/plainButtons.css", ...parts, ...hero];
}

/** For heroes with a person: a sheet of their own, which pages and previews link as needed. */
const FIGURE = ["HeroFigure", "HeroFigureLooks"].map((name) => `src/web/site/sections/${name}.css`);

/** Linked by the pages that need it. */
const NOT_FOUND = "src/web/site/NotFound.css";

/** The sheets for every public page. */
async function ofSite(): Promise<string[]> {
  const folders = ["src/web/site", "src/web/site/enquiry", "src/web/site/mailingList"];
  const siteSheets = (await sheetsIn(...folders)).filter((sheet) => sheet !== NOT_FOUND);
  return [UI, ...(await ofSections()), ...NEVER_PREVIEWED, ...siteSheets];
}

/** A sheet for each extra, from the one beside its component: key -> URL. */
async function buildExtraStyles(outdir: string): Promise<Record<string, string>> {
  const sheets = await sheetsIn("src/web/site/extras");
  const built = sheets.map(async (sheet) => {
    const name = basename(sheet, ".css");
    const key = name.charAt(0).toLowerCase() + name.slice(1);
    return [key, await addStyles(`extra-${key}`, [sheet], outdir)] as const;
  });
  return Object.fromEntries(await Promise.all(built));
}

async function sheetsIn(...folders: string[]): Promise<string[]> {
  const sheets = folders.map(async (folder) => {
    const names = (await readdir(folder)).filter((name) => name.endsWith(".css"));
    return names.sort().map((name) => join(folder, name));
  });
  return (await Promise.all(sheets)).flat();
}

const PICTURES = "src/web/site/assets";

/** Copies the bundled pictures, adding a hash to their names: name without extension -> URL. */
async function copyPictures(outdir: string): Promise<Record<string, string>> {
  const pictures: Record<string, string> = {};
  for (const name of await readdir(PICTURES).catch(() => [])) {
    const bytes = await Bun.file(join(PICTURES, name)).bytes();
    const hash = Bun.hash(bytes).toString(36).slice(0, 8);
    const hashed = `${basename(name, extname(name))}-${hash}${extname(name)}`;
    await Bun.write(join(outdir, hashed), bytes);
    pictures[basename(name, extname(name))] = `${PICTURES_PATH}/${hashed}`;
  }
  return pictures;
}
