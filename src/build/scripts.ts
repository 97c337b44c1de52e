/**
 * Bundles what browsers run, once for visitors and once for the owner: the entry, a chunk for each page or
 * the first sight, and chunks that come when they are wanted. Docs: docs/decisions/0008-bundling-for-browsers.md.
 */
import { basename, resolve } from "node:path";
import { type InputOptions, type OutputChunk, type Plugin, rolldown } from "rolldown";
import type { InlineCode, ShellAssets } from "../web/shared/shell.ts";
import { PAGES } from "../web/site/pages.ts";
import { LEFT_OUT } from "./leftOut.ts";

const web = (path: string) => resolve("src/web", path);

/**
 * One of the two bundles: visitors and the owner share no file, so that each comes in few of them, which
 * compress best. `atOnce` stands in the entry's file besides, with all it imports, and `pages` in files of
 * their own; what two of them share comes with the entry.
 */
interface Bundle {
  readonly entry: string;
  /** What each file begins with. */
  readonly banner?: string;
  readonly atOnce: readonly string[];
  readonly pages: Readonly<Record<string, string>>;
}

/**
 * Has Chromium compile every function beside the page's thread, while the file arrives (explicit compile
 * hints). What makes the enquiry form live runs once, so that the thread would compile it function by
 * function after the press: 30 of its 75 ms. Other browsers read a comment.
 */
const COMPILED_WHILE_FETCHED = "//# allFunctionsCalledOnLoad";

const SITE: Bundle = {
  entry: web("entry-client.tsx"),
  banner: COMPILED_WHILE_FETCHED,
  atOnce: [],
  pages: { home: web("site/Home.tsx"), coaching: web("site/Coaching.tsx") },
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
  pages: {},
};

/** Exports of a library's index that the dashboard's first screens don't need. */
const NOT_AT_ONCE = /\/(?:useQueries|queriesObserver|useInfiniteQuery|infiniteQueryObserver)\.js$/;

/** The module of each page's component by its path, read off the list that the router is made of. */
const PAGE_MODULES = new Map(
  PAGES.map(({ path, module }) => [path, web(`site/${importedBy(module)}`)]),
);

/** What `() => import("./x.tsx")` imports. */
function importedBy(module: () => unknown): string {
  const name = /import\(["'](?<name>[^"']+)["']\)/.exec(String(module))?.groups?.["name"];
  if (!name) throw new Error(`A page's module is an import and nothing else, not ${module}.`);
  return name;
}

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

/** Writes both bundles into `outdir`; returns the addresses of the entries and of each page's chunk. */
export async function buildScripts(
  outdir: string,
): Promise<Pick<ShellAssets, "script" | "ownerScript" | "chunks">> {
  const site = await writeBundle(SITE, outdir);
  const owner = await writeBundle(OWNER, outdir, await pictureWorker(outdir));
  const chunks = [...PAGE_MODULES].map(([path, module]) => [path, site(module)]);
  return {
    script: site(SITE.entry),
    ownerScript: owner(OWNER.entry),
    chunks: Object.fromEntries(chunks),
  };
}

/** Returns where a module has come to: the address of its file. */
async function writeBundle(
  bundle: Bundle,
  outdir: string,
  ...more: Plugin[]
): Promise<(module: string) => string> {
  const groups = groupsOf(bundle, await moduleGraph(bundle));
  const bundler = await rolldown(options(bundle, ...more));
  const { output } = await bundler.write({
    dir: outdir,
    format: "esm",
    minify: true,
    // What tells the bundler which calls are pure is of no use to browsers.
    comments: { legal: true, annotation: false, jsdoc: false },
    entryFileNames: "[name]-[hash].js",
    chunkFileNames: "[name]-[hash].js",
    codeSplitting: { groups },
    ...(bundle.banner && { postBanner: bundle.banner }),
  });
  const chunks = output.filter((each): each is OutputChunk => each.type === "chunk");
  return (module) => {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(module));
    if (!chunk) throw new Error(`The bundle holds no ${basename(module)}.`);
    return `/assets/${chunk.fileName}`;
  };
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
 * Without groups the bundler makes a chunk for each set of modules that the same screens share: forty
 * small files for the dashboard, which compress worse than one.
 */
function groupsOf({ entry, atOnce, pages }: Bundle, graph: Graph) {
  const first = reachable(graph, [entry, ...atOnce]);
  const later = Object.entries(pages).map(
    ([name, module]) => [name, reachable(graph, [module])] as const,
  );
  const counted = Map.groupBy(
    later.flatMap(([, members]) => [...members]),
    (id) => id,
  );
  const shared = [...counted].flatMap(([id, { length }]) => (length > 1 ? id : []));
  const groups = [["entry", new Set([...first, ...shared])] as const, ...later];
  return groups.map(([name, members], at) => ({
    name,
    test: (id: string) => members.has(id) && !NOT_AT_ONCE.test(id),
    priority: 100 - at,
  }));
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
  const names = ["firstScreen", "pictureArrival", "page", "livingPage", "owner"];
  const [firstScreen, pictureArrival, page, livingPage, owner] = await Promise.all(
    names.map((name) => programFrom(`inline/${name}.ts`)),
  );
  return {
    firstScreen: firstScreen!,
    pictureArrival: pictureArrival!,
    page: page!,
    livingPage: livingPage!,
    owner: owner!,
  };
}
