/**
 * Bundles what browsers run: the enquiry form, the owner's screens, each with chunks that come when they are
 * wanted, and the programs that stand in pages themselves. Docs: docs/decisions/0008-bundling-for-browsers.md.
 */
import { basename, resolve } from "node:path";
import { type InputOptions, type Plugin, rolldown } from "rolldown";
import { type Part, PARTS } from "../web/inline/parts.ts";
import type { InlineCode, ShellAssets } from "../web/shared/shell.ts";
import { LEFT_OUT } from "./leftOut.ts";

const web = (path: string) => resolve("src/web", path);

/**
 * One of the two bundles: visitors and the owner share no file, so that each comes in few of them, which
 * compress best. `atOnce` stands in the entry's file besides, with all it imports.
 */
interface Bundle {
  readonly entry: string;
  /** What each file begins with. */
  readonly banner?: string;
  readonly atOnce: readonly string[];
}

/**
 * Has Chromium compile every function beside the page's thread, while the file arrives (explicit compile
 * hints). What makes the enquiry form live runs once, so that the thread would compile it function by
 * function after the press: 30 of its 75 ms. Other browsers read a comment.
 */
const COMPILED_WHILE_FETCHED = "//# allFunctionsCalledOnLoad";

const ENQUIRY: Bundle = {
  entry: web("entry-enquiry.tsx"),
  banner: COMPILED_WHILE_FETCHED,
  atOnce: [],
};

/** What the login and the dashboard's first tab show on a wide screen. */
const FIRST_SIGHT = [
  "admin/Admin.tsx",
  "admin/Login.tsx",
  "admin/Dashboard.tsx",
  "admin/frame/docked.ts",
  "admin/tabs/HeroTab.tsx",
  "admin/editor/ImagePicker.tsx",
  "admin/editor/SectionFrame.tsx",
  "../schema/veil.ts",
  "site/sections/Hero.tsx",
];

const OWNER: Bundle = {
  entry: web("entry-owner.tsx"),
  atOnce: FIRST_SIGHT.map(web),
};

/** Exports of a library's index that the dashboard's first screens don't need. */
const NOT_AT_ONCE = /\/(?:useQueries|queriesObserver|useInfiniteQuery|infiniteQueryObserver)\.js$/;

/** Writes the worker that shrinks pictures, and puts its address where the dashboard asks for it. */
async function pictureWorker(outdir: string): Promise<Plugin> {
  const bundle = await rolldown({
    input: web("admin/data/pictureWorker.ts"),
    platform: "browser",
  });
  const { output } = await bundle.write({
    dir: outdir,
    format: "iife",
    minify: true,
    entryFileNames: "[name]-[hash].js",
  });
  const address = JSON.stringify(`/assets/${output[0].fileName}`);
  return {
    name: "picture worker",
    load: {
      filter: { id: /\/src\/web\/admin\/data\/pictureWorkerAddress\.ts$/ },
      handler: () => `export const PICTURE_WORKER = ${address};`,
    },
  };
}

/** Modules, and what each imports at once. */
type Graph = ReadonlyMap<string, readonly string[]>;

/** Writes both bundles into `outdir`, `quick` as they are read; returns the addresses of their entries. */
export async function buildScripts(
  outdir: string,
  { quick }: { quick: boolean },
): Promise<Pick<ShellAssets, "enquiryScript" | "ownerScript">> {
  const way = { outdir, quick };
  const [enquiryScript, ownerScript] = await Promise.all([
    writeBundle(ENQUIRY, way),
    pictureWorker(outdir).then((worker) => writeBundle(OWNER, way, worker)),
  ]);
  return { enquiryScript, ownerScript };
}

/** Returns the address of the entry's file. */
async function writeBundle(
  bundle: Bundle,
  { outdir, quick }: { outdir: string; quick: boolean },
  ...more: Plugin[]
): Promise<string> {
  const bundler = await rolldown(options(bundle, ...more));
  const { output } = await bundler.write({
    dir: outdir,
    format: "esm",
    minify: !quick,
    // What tells the bundler which calls are pure is of no use to browsers.
    comments: { legal: true, annotation: false, jsdoc: false },
    entryFileNames: "[name]-[hash].js",
    chunkFileNames: "[name]-[hash].js",
    codeSplitting: { groups: quick ? [] : [await entryGroup(bundle)] },
    ...(bundle.banner && { postBanner: bundle.banner }),
  });
  const entry = output.find(
    (each) => each.type === "chunk" && each.moduleIds.includes(bundle.entry),
  );
  if (!entry) throw new Error(`The bundle holds no ${basename(bundle.entry)}.`);
  return `/assets/${entry.fileName}`;
}

function options({ entry }: Bundle, ...more: Plugin[]): InputOptions {
  return {
    input: entry,
    platform: "browser",
    logLevel: "silent",
    // Reading a property never has side effects, in our modules or in libraries.
    treeshake: { propertyReadSideEffects: false },
    transform: { define: { "process.env.NODE_ENV": '"production"' } },
    moduleTypes: { ".css": "text" },
    plugins: [...LEFT_OUT, ...more],
  };
}

/** Reads every module of a bundle once, to know which ones a screen needs at once. */
async function moduleGraph(bundle: Bundle): Promise<Graph> {
  const graph = new Map<string, readonly string[]>();
  const reader: Plugin = {
    name: "module graph",
    buildEnd() {
      for (const id of this.getModuleIds())
        graph.set(id, [...(this.getModuleInfo(id)?.importedIds ?? [])]);
    },
  };
  const bundler = await rolldown(options(bundle, reader));
  await bundler.generate({ format: "esm" });
  return graph;
}

/**
 * Without a group the bundler makes a chunk for each set of modules that the same screens share: forty
 * small files for the dashboard, which compress worse than one.
 */
async function entryGroup(bundle: Bundle) {
  const first = reachable(await moduleGraph(bundle), [bundle.entry, ...bundle.atOnce]);
  return { name: "entry", test: (id: string) => first.has(id) && !NOT_AT_ONCE.test(id) };
}

/** What `roots` import at once. */
function reachable(graph: Graph, roots: readonly string[]): Set<string> {
  const seen = new Set<string>();
  const queue = [...roots];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    queue.push(...(graph.get(id) ?? []));
  }
  return seen;
}

/** What runs in the background of the owner's browser, as one file. */
export const buildWorker = (): Promise<string> => programFrom("admin/worker.ts");

/** A program as one expression that runs at once. */
async function programFrom(path: string): Promise<string> {
  const bundle = await rolldown({ input: web(path), platform: "browser", plugins: [...LEFT_OUT] });
  const { output } = await bundle.generate({ format: "iife", minify: true });
  return `${output[0].code.trim().replace(/;$/, "")};`;
}

/** The programs that stand in pages themselves. */
export async function buildInlineCode(): Promise<InlineCode> {
  const [firstScreen, pictureArrival, owner] = await Promise.all([
    programFrom("inline/firstScreen.ts"),
    programFrom("inline/pictureArrival.ts"),
    programFrom("inline/owner.ts"),
  ]);
  return {
    firstScreen,
    pictureArrival,
    owner,
    parts: await Promise.all(
      PARTS.map(async (part) => ({
        for: part.for ?? null,
        words: part.words ?? [],
        code: await partFrom(part),
      })),
    ),
  };
}

const SHARED = PARTS.flatMap(({ module, isShared }) =>
  isShared ? [web(`inline/${module}.ts`)] : [],
);
const nameOf = (path: string) => basename(path, ".ts");

/** A part as a statement: what others use of it stands under its name, and theirs is taken from there. */
async function partFrom({ module, start, isShared }: Part): Promise<string> {
  const path = web(`inline/${module}.ts`);
  const entry = isShared
    ? `export * from "${path}";`
    : `import * as part from "${path}"; part.${start};`;
  const bundle = await rolldown({
    input: ENTRY,
    platform: "browser",
    treeshake: { propertyReadSideEffects: false },
    external: (id, importer) =>
      importer !== ENTRY && id !== path && SHARED.includes(resolve(web("inline"), id)),
    plugins: [
      ...LEFT_OUT,
      {
        name: "part",
        resolveId: { filter: { id: new RegExp(`^${ENTRY}$`) }, handler: () => ENTRY },
        load: { filter: { id: new RegExp(`^${ENTRY}$`) }, handler: () => entry },
      },
    ],
  });
  const { output } = await bundle.generate({
    format: "iife",
    name: isShared && module,
    minify: true,
    esModule: false,
    generatedCode: { symbols: false },
    globals: nameOf,
  });
  // The page's program is a module, in which a block is a scope as well.
  return output[0].code.trim().replace(/^\(function\(\)\{(.*)\}\)\(\);$/s, "{$1}");
}

/** What a part is bundled from: its module, and what is run of it. */
const ENTRY = "part";
