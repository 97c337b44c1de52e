/** Builds the browsers' files: scripts, style sheets, pictures and fonts, compressed. */
import { mkdir, readdir, rm } from "node:fs/promises";
import { basename, extname, join, resolve } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { type FontCatalog, OUTLINES_FOLDER } from "../server/pages/fontCatalog.ts";
import {
  type BuiltFile,
  NOTICES_FILE,
  PICTURES_PATH,
  type WebManifest,
} from "../server/pages/webBuild.ts";
import type { PageAssets } from "../web/shared/pageContext.ts";
import { collectFonts } from "./fonts.ts";
import { createLicenseNotices } from "./licenseNotices.ts";
import { writeOutlines } from "./outlines.ts";
import { buildPlatformIcons } from "./platformIcons.ts";
import { createInlineStep, createScriptStep, createWorkerStep } from "./scripts.ts";
import { type BuildStep, createStep } from "./buildStep.ts";
import {
  buildAdditionalStyles,
  ARTICLE_SELECTORS,
  NESTED_ELEMENTS,
  buildStyles,
  BUTTON_SELECTORS,
  FORM_SELECTORS,
} from "./styles.ts";

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};

interface WebOptions {
  /** Builds faster, for `bun run dev`: nothing is minified, and existing fonts are reused. */
  readonly isQuick?: boolean;
}

/** Builds the files and their manifest.json into `directory`. Rejects with the bundler's messages. */
export const buildWeb = (directory: string): Promise<WebManifest> => createWebBuild(directory)();

/** Creates a build that rebuilds only the outputs of changed files when it is called again. */
export function createWebBuild(
  directory: string,
  { isQuick = false }: WebOptions = {},
): BuildStep<WebManifest> {
  const assets = join(directory, "assets");
  const buildScripts = createScriptStep(assets, { isQuick });
  const [buildInlineScripts, buildWorker] = [createInlineStep(), createWorkerStep()];
  const buildStyleSheets = createStep(() => buildSheets(assets), isSheet);
  const buildPictures = createStep(
    () => copyPictures(join(directory, PICTURES_PATH)),
    (path) => path.startsWith(resolve(PICTURES_DIR)),
  );
  const buildPlatformSprite = createStep(() => buildPlatformIcons(assets), ignoreChanges);
  const buildLicenses = createStep(
    async () => Bun.write(join(directory, NOTICES_FILE), await createLicenseNotices()),
    ignoreChanges,
  );
  let fonts: FontCatalog | undefined;
  return async (changedPaths) => {
    if (!changedPaths) {
      fonts = isQuick ? await readBuiltFonts(directory) : undefined;
      await rm(fonts ? assets : directory, { recursive: true, force: true });
      await mkdir(assets, { recursive: true });
    }
    const shell: PageAssets = {
      ...(await buildScripts(changedPaths)),
      ...(await buildStyleSheets(changedPaths)),
      pictures: {
        ...(await buildPictures(changedPaths)),
        platforms: await buildPlatformSprite(changedPaths),
      },
    };
    fonts ??= await buildFonts(directory);
    const files = [
      ...(await listFiles("/assets", directory, isQuick ? undefined : compress)),
      ...(await listFiles("/fonts/files", directory)),
    ];
    const manifest: WebManifest = {
      shell,
      inline: {
        ...(await buildInlineScripts(changedPaths)),
        extraStyles: await readTexts(shell.extraStyles, directory),
      },
      worker: await buildWorker(changedPaths),
      files,
      fonts,
    };
    await Bun.write(join(directory, "manifest.json"), JSON.stringify(manifest));
    await buildLicenses(changedPaths);
    return manifest;
  };
}

/** Style sheets import each other, so a change of one rebuilds all. */
const isSheet = (path: string) => path.endsWith(".css");
const ignoreChanges = () => false;

async function buildSheets(assets: string) {
  return {
    siteStyles: await buildStyles("site", await findSiteSheets(), assets, BUTTON_SELECTORS),
    portraitStyles: await buildAdditionalStyles("figure", PORTRAIT_SHEETS, assets),
    notFoundStyles: await buildAdditionalStyles("notFound", [NOT_FOUND_SHEET], assets),
    heroStyles: await buildStyles(
      "hero",
      listHeroSheets(),
      assets,
      [...FORM_SELECTORS, ...BUTTON_SELECTORS, ...NESTED_ELEMENTS],
      UNUSED_MEDIA_PATTERN,
    ),
    previewStyles: await buildStyles(
      "preview",
      await findSectionSheets(),
      assets,
      [...FORM_SELECTORS, ...BUTTON_SELECTORS],
      UNUSED_MEDIA_PATTERN,
    ),
    adminStyles: await buildStyles("admin", ["src/web/admin/admin.css"], assets, [
      ...BUTTON_SELECTORS,
      ...ARTICLE_SELECTORS,
    ]),
    extraStyles: await buildExtraStyles(assets),
  };
}

/** Returns the texts of the files at these URLs, with the same keys. */
async function readTexts(urls: Readonly<Record<string, string>>, directory: string) {
  const texts = Object.entries(urls).map(
    async ([key, url]) => [key, await Bun.file(join(directory, url)).text()] as const,
  );
  return Object.fromEntries(await Promise.all(texts));
}

/** Returns the font catalog of an existing build; undefined if there is no complete build. */
async function readBuiltFonts(directory: string): Promise<FontCatalog | undefined> {
  const manifest = Bun.file(join(directory, "manifest.json"));
  return (await manifest.exists()) ? ((await manifest.json()) as WebManifest).fonts : undefined;
}

async function buildFonts(directory: string): Promise<FontCatalog> {
  const files = join(directory, "fonts", "files");
  await mkdir(files, { recursive: true });
  const fonts = await collectFonts(files);
  await writeOutlines(fonts, files, join(directory, OUTLINES_FOLDER));
  return fonts;
}

/** Lists the files of a folder. `writeCompressed` returns whether it wrote compressed forms of a file. */
async function listFiles(
  url: string,
  directory: string,
  writeCompressed = async (_path: string) => false,
): Promise<BuiltFile[]> {
  const folder = join(directory, url);
  const files = (await readdir(folder)).flatMap((name) => {
    const type = MEDIA_TYPES[extname(name)];
    return type ? [{ name, type }] : [];
  });
  return Promise.all(
    files.map(async ({ name, type }) => ({
      url: `${url}/${name}`,
      type,
      compressed: await writeCompressed(join(folder, name)),
    })),
  );
}

/** Writes `.br` and `.gz` beside a script, sheet or SVG. Returns false if this wouldn't make the file smaller. */
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

const UI_SHEET = "src/web/ui/ui.css";

/** Media conditions that are never true in a preview: previews are shown on screens and run no scripts. */
const UNUSED_MEDIA_PATTERN = /print|scripting/;

/** Sheets that previews don't need: the enlarged picture, and an animation that runs once. */
const UNPREVIEWED_SHEETS = [
  "src/web/site/gallery/LargePicture.css",
  "src/web/site/sections/HeroEntrance.css",
];

async function findSectionSheets(): Promise<string[]> {
  const folders = ["src/web/site/parts", "src/web/site/gallery", "src/web/site/sections"];
  const sheets = await findSheets(...folders);
  return [
    "src/web/ui/plainButtons.css",
    ...sheets.filter((sheet) => ![...UNPREVIEWED_SHEETS, ...PORTRAIT_SHEETS].includes(sheet)),
  ];
}

/** Returns the sheets of the home page's hero, which is all that the dashboard's first screen previews. */
function listHeroSheets(): string[] {
  const partSheets = ["page", "layout", "Photo", "CallToAction"].map(
    (name) => `src/web/site/parts/${name}.css`,
  );
  const heroSheets = ["Hero", "HeroLayouts"].map((name) => `src/web/site/sections/${name}.css`);
  return ["src/web/ui/plainButtons.css", ...partSheets, ...heroSheets];
}

/** The sheets of heroes with a person, loaded only if needed. */
const PORTRAIT_SHEETS = ["HeroFigure", "HeroFigureLooks"].map(
  (name) => `src/web/site/sections/${name}.css`,
);

const NOT_FOUND_SHEET = "src/web/site/NotFound.css";

async function findSiteSheets(): Promise<string[]> {
  const folders = ["src/web/site", "src/web/site/enquiry", "src/web/site/mailingList"];
  const siteSheets = (await findSheets(...folders)).filter((sheet) => sheet !== NOT_FOUND_SHEET);
  return [UI_SHEET, ...(await findSectionSheets()), ...UNPREVIEWED_SHEETS, ...siteSheets];
}

/** Builds the sheet beside each extra's component. Returns the URLs by the extra's key. */
async function buildExtraStyles(outdir: string): Promise<Record<string, string>> {
  const sheets = await findSheets("src/web/site/extras");
  const entries = sheets.map(async (sheet) => {
    const name = basename(sheet, ".css");
    const key = name.charAt(0).toLowerCase() + name.slice(1);
    return [key, await buildAdditionalStyles(`extra-${key}`, [sheet], outdir)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

async function findSheets(...folders: string[]): Promise<string[]> {
  const sheets = folders.map(async (folder) => {
    const names = (await readdir(folder)).filter((name) => name.endsWith(".css"));
    return names.sort().map((name) => join(folder, name));
  });
  return (await Promise.all(sheets)).flat();
}

const PICTURES_DIR = "src/web/site/assets";

/** Copies the bundled pictures with hashed names. Returns their URLs by the original name without extension. */
async function copyPictures(outdir: string): Promise<Record<string, string>> {
  const pictures: Record<string, string> = {};
  for (const name of await readdir(PICTURES_DIR)) {
    const bytes = await Bun.file(join(PICTURES_DIR, name)).bytes();
    const hash = Bun.hash(bytes).toString(36).slice(0, 8);
    const hashedName = `${basename(name, extname(name))}-${hash}${extname(name)}`;
    await Bun.write(join(outdir, hashedName), bytes);
    pictures[basename(name, extname(name))] = `${PICTURES_PATH}/${hashedName}`;
  }
  return pictures;
}
