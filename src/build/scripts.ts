/** Bundles the browsers' code: the enquiry form, the owner's screens and the inline scripts of pages. */
import { basename, resolve } from "node:path";
import { type InputOptions, type Plugin, rolldown } from "rolldown";
import { type InlineScript, INLINE_SCRIPTS } from "../web/inline/inlineScripts.ts";
import type { BundledInlineScripts, PageAssets } from "../web/shared/pageContext.ts";
import { SLIMMING_PLUGINS } from "./slimmingPlugins.ts";
import { createTrackedStep, type BuildStep } from "./buildStep.ts";

const resolveWebPath = (path: string) => resolve("src/web", path);

/** One of the two bundles, the visitors' or the owner's. They share no files: fewer, larger files compress better. */
interface Bundle {
  readonly entry: string;
  readonly banner?: string;
  readonly initialModules: readonly string[];
}

/**
 * Makes Chromium compile every function in the background while the file loads (explicit compile hints). Otherwise the
 * main thread would compile the hydration code after the first click, for 30 of the click's 75 ms.
 */
const EAGER_COMPILE_HINT = "//# allFunctionsCalledOnLoad";

const ENQUIRY_BUNDLE: Bundle = {
  entry: resolveWebPath("entry-enquiry.tsx"),
  banner: EAGER_COMPILE_HINT,
  initialModules: [],
};

/** The modules of the login and of the dashboard's first tab on a wide screen. */
const FIRST_SCREEN_MODULES = [
  "admin/Admin.tsx",
  "admin/Login.tsx",
  "admin/Dashboard.tsx",
  "admin/tabs/HeroTab.tsx",
  "admin/editor/ImagePicker.tsx",
  "admin/editor/PreviewFrame.tsx",
  // Every later screen loads its style sheet with this module.
  "admin/parts/useStylesheet.ts",
  "site/sections/Hero.tsx",
];

const OWNER_BUNDLE: Bundle = {
  entry: resolveWebPath("entry-owner.tsx"),
  initialModules: FIRST_SCREEN_MODULES.map(resolveWebPath),
};

/** Modules of libraries that the dashboard's first screens don't need. */
const DEFERRED_MODULES =
  /\/(?:useQueries|queriesObserver|useInfiniteQuery|infiniteQueryObserver)\.js$/;

const createModuleRecorder = (inputs: Set<string>): Plugin => ({
  name: "module recorder",
  buildEnd() {
    for (const id of this.getModuleIds()) inputs.add(id);
  },
});

/** Writes the worker that resizes pictures. Returns a plugin that gives the dashboard its URL. */
async function buildPictureWorker(outdir: string, inputs: Set<string>): Promise<Plugin> {
  const bundle = await rolldown({
    input: resolveWebPath("admin/data/pictureWorker.ts"),
    platform: "browser",
    plugins: [createModuleRecorder(inputs)],
  });
  const { output } = await bundle.write({
    dir: outdir,
    format: "iife",
    minify: true,
    entryFileNames: "[name]-[hash].js",
  });
  const url = JSON.stringify(`/assets/${output[0].fileName}`);
  const urlModule = resolveWebPath("admin/data/pictureWorkerUrl.ts");
  return {
    name: "picture worker",
    load: (id) => (id === urlModule ? `export const PICTURE_WORKER_URL = ${url};` : null),
    buildEnd(error) {
      if (error) return;
      // Without the worker, the dashboard would freeze while it resizes a picture.
      if (![...this.getModuleIds()].includes(urlModule))
        throw new Error(`No module imports ${urlModule}.`);
    },
  };
}

/** The modules that each module imports statically. */
type ModuleGraph = ReadonlyMap<string, readonly string[]>;

/** Writes both bundles into `outdir`, unminified if `isQuick`. Returns the URLs of their entries. */
export function createScriptStep(
  outdir: string,
  { isQuick }: { isQuick: boolean },
): BuildStep<Pick<PageAssets, "enquiryScript" | "ownerScript">> {
  const options = { outdir, isQuick };
  const buildEnquiryScript = createTrackedStep((inputs) =>
    writeBundle(ENQUIRY_BUNDLE, options, createModuleRecorder(inputs)),
  );
  const buildOwnerScript = createTrackedStep(async (inputs) =>
    writeBundle(
      OWNER_BUNDLE,
      options,
      createModuleRecorder(inputs),
      await buildPictureWorker(outdir, inputs),
    ),
  );
  return async (changedPaths) => {
    const [enquiryScript, ownerScript] = await Promise.all([
      buildEnquiryScript(changedPaths),
      buildOwnerScript(changedPaths),
    ]);
    return { enquiryScript, ownerScript };
  };
}

async function writeBundle(
  bundle: Bundle,
  { outdir, isQuick }: { outdir: string; isQuick: boolean },
  ...plugins: Plugin[]
): Promise<string> {
  const bundler = await rolldown(createInputOptions(bundle, ...plugins));
  const { output } = await bundler.write({
    dir: outdir,
    format: "esm",
    minify: !isQuick,
    // Removes purity annotations, which only the bundler reads.
    comments: { legal: true, annotation: false, jsdoc: false },
    entryFileNames: "[name]-[hash].js",
    chunkFileNames: "[name]-[hash].js",
    codeSplitting: { groups: isQuick ? [] : [await createEntryChunkGroup(bundle)] },
    ...(bundle.banner && { postBanner: bundle.banner }),
  });
  const entry = output.find(
    (each) => each.type === "chunk" && each.moduleIds.includes(bundle.entry),
  );
  if (!entry) throw new Error(`The bundle doesn't contain ${basename(bundle.entry)}.`);
  return `/assets/${entry.fileName}`;
}

function createInputOptions({ entry }: Bundle, ...plugins: Plugin[]): InputOptions {
  return {
    input: entry,
    platform: "browser",
    logLevel: "silent",
    // Removes unused reads of properties. Reading has no side effects in our modules or in libraries.
    treeshake: { propertyReadSideEffects: false },
    transform: { define: { "process.env.NODE_ENV": '"production"' } },
    moduleTypes: { ".css": "text" },
    plugins: [...SLIMMING_PLUGINS, ...plugins],
  };
}

async function buildModuleGraph(bundle: Bundle): Promise<ModuleGraph> {
  const graph = new Map<string, readonly string[]>();
  const reader: Plugin = {
    name: "module graph",
    buildEnd(error) {
      if (error) return;
      for (const id of this.getModuleIds())
        graph.set(id, [...(this.getModuleInfo(id)?.importedIds ?? [])]);
    },
  };
  const bundler = await rolldown(createInputOptions(bundle, reader));
  await bundler.generate({ format: "esm" });
  return graph;
}

/** Puts the entry and `initialModules` into one chunk. The default, forty chunks, compresses worse. */
async function createEntryChunkGroup(bundle: Bundle) {
  const entryModules = findReachableModules(await buildModuleGraph(bundle), [
    bundle.entry,
    ...bundle.initialModules,
  ]);
  return {
    name: "entry",
    test: (id: string) => entryModules.has(id) && !DEFERRED_MODULES.test(id),
  };
}

function findReachableModules(graph: ModuleGraph, roots: readonly string[]): Set<string> {
  const reachable = new Set<string>();
  const queue = [...roots];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (reachable.has(id)) continue;
    reachable.add(id);
    queue.push(...(graph.get(id) ?? []));
  }
  return reachable;
}

export const createWorkerStep = (): BuildStep<string> =>
  createTrackedStep((inputs) => bundleScript("admin/worker.ts", inputs));

/** Bundles a script and its imports as one immediately invoked function. */
async function bundleScript(path: string, inputs: Set<string>): Promise<string> {
  const plugins = [...SLIMMING_PLUGINS, createModuleRecorder(inputs)];
  const bundle = await rolldown({ input: resolveWebPath(path), platform: "browser", plugins });
  const { output } = await bundle.generate({ format: "iife", minify: true });
  return `${output[0].code.trim().replace(/;$/, "")};`;
}

export const createInlineStep = (): BuildStep<BundledInlineScripts> =>
  createTrackedStep(buildInlineScripts);

async function buildInlineScripts(inputs: Set<string>): Promise<BundledInlineScripts> {
  const [firstScreen, pictureArrival, ownerScript] = await Promise.all([
    bundleScript("inline/firstScreen.ts", inputs),
    bundleScript("inline/pictureArrival.ts", inputs),
    bundleScript("inline/preloadDashboard.ts", inputs),
  ]);
  return {
    firstScreen,
    pictureArrival,
    ownerScript,
    parts: await Promise.all(
      INLINE_SCRIPTS.map(async (part) => ({
        attributes: part.attributes ?? null,
        wordGroups: part.wordGroups ?? [],
        code: await bundlePart(part, inputs),
      })),
    ),
  };
}

const SHARED_PARTS = INLINE_SCRIPTS.flatMap(({ fileName, isShared }) =>
  isShared ? [resolveWebPath(`inline/${fileName}.ts`)] : [],
);
const toModuleName = (path: string) => basename(path, ".ts");

/** Bundles an inline script as a statement. A shared script stores its exports in a variable named after the script. */
async function bundlePart(
  { fileName, startCode, isShared }: InlineScript,
  inputs: Set<string>,
): Promise<string> {
  const path = resolveWebPath(`inline/${fileName}.ts`);
  const entry = isShared
    ? `export * from "${path}";`
    : `import * as part from "${path}"; part.${startCode};`;
  const bundle = await rolldown({
    input: PART_ENTRY,
    platform: "browser",
    treeshake: { propertyReadSideEffects: false },
    external: (id, importer) =>
      importer !== PART_ENTRY &&
      id !== path &&
      SHARED_PARTS.includes(resolve(resolveWebPath("inline"), id)),
    plugins: [
      ...SLIMMING_PLUGINS,
      createModuleRecorder(inputs),
      {
        name: "part",
        resolveId: { filter: { id: new RegExp(`^${PART_ENTRY}$`) }, handler: () => PART_ENTRY },
        load: { filter: { id: new RegExp(`^${PART_ENTRY}$`) }, handler: () => entry },
      },
    ],
  });
  const { output } = await bundle.generate({
    format: "iife",
    name: isShared && fileName,
    minify: true,
    esModule: false,
    generatedCode: { symbols: false },
    globals: toModuleName,
  });
  // Replaces the function by a block, which is shorter. In a module, a block's functions are local as well.
  return output[0].code.trim().replace(/^\(function\(\)\{(.*)\}\)\(\);$/s, "{$1}");
}

const PART_ENTRY = "part";
