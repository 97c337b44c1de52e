/**
 * Bundles what browsers run: the entry, a chunk for the home page, one for the dashboard's first screens,
 * and chunks that come when they are wanted. Docs: docs/decisions/0008-bundling-for-browsers.md.
 */
import { basename, resolve } from "node:path";
import { type InputOptions, type OutputChunk, type Plugin, rolldown } from "rolldown";
import { FRESH_FOR } from "../schema/freshness.ts";
import type { InlineCode, ShellAssets } from "../web/shared/shell.ts";
import { PAGES } from "../web/site/pages.ts";

const web = (path: string) => resolve("src/web", path);
const ENTRY = web("entry-client.tsx");

/** What belongs together, by the screens that need it at once; the first match wins. */
const TOGETHER: Readonly<Record<string, readonly string[]>> = {
  // A first screen is what visitors of both pages see, and what the dashboard opens with.
  "entry-client": [ENTRY, web("site/sections/Hero.tsx")],
  home: [web("site/Home.tsx"), web("site/sections/index.ts")],
  dashboard: ["Admin.tsx", "Login.tsx", "Dashboard.tsx", "tabs/HeroTab.tsx"].map((name) =>
    web(`admin/${name}`),
  ),
};

/** Exports of a library's index that the dashboard's first screens don't need. */
const NOT_AT_ONCE = /\/(?:useQueries|queriesObserver|useInfiniteQuery|infiniteQueryObserver)\.js$/;

/** The module of each page's component by its path, read off the list that the router is made of. */
const PAGE_MODULES = new Map([
  ...PAGES.map(({ path, module }) => [path, web(`site/${importedBy(module)}`)] as const),
  ["/admin", web("admin/Admin.tsx")] as const,
]);

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

/** Modules, what each imports at once, and what it imports when it is wanted. */
type Graph = ReadonlyMap<string, { now: readonly string[]; later: readonly string[] }>;

/** Writes the chunks into `outdir`; returns the addresses of the entry and of each page's chunk. */
export async function buildScripts(
  outdir: string,
): Promise<Pick<ShellAssets, "script" | "chunks">> {
  const groups = groupsOf(await moduleGraph());
  const bundle = await rolldown(options(await pictureWorker(outdir)));
  const { output } = await bundle.write({
    dir: outdir,
    format: "esm",
    minify: true,
    entryFileNames: "[name]-[hash].js",
    chunkFileNames: "[name]-[hash].js",
    codeSplitting: { groups },
  });
  const chunks = output.filter((each): each is OutputChunk => each.type === "chunk");
  const urlOf = (module: string) => {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(module));
    if (!chunk) throw new Error(`The bundle holds no ${basename(module)}.`);
    return `/assets/${chunk.fileName}`;
  };
  const pages = [...PAGE_MODULES].map(([path, module]) => [path, urlOf(module)]);
  return { script: urlOf(ENTRY), chunks: Object.fromEntries(pages) };
}

function options(...more: Plugin[]): InputOptions {
  return {
    input: ENTRY,
    platform: "browser",
    logLevel: "silent",
    // Reading a property never has side effects, in our modules or in libraries.
    treeshake: { propertyReadSideEffects: false },
    transform: { define: { "process.env.NODE_ENV": '"production"' } },
    moduleTypes: { ".css": "text" },
    plugins: [
      reactsOwnStore,
      readsOnly,
      ownErrorPages,
      slimEditor,
      noStyles,
      freshness,
      noServerEntities,
      ...more,
    ],
  };
}

/** Reads every module once, to know which ones a screen needs at once. */
async function moduleGraph(): Promise<Graph> {
  const graph = new Map<string, { now: readonly string[]; later: readonly string[] }>();
  const reader: Plugin = {
    name: "module graph",
    buildEnd() {
      for (const id of this.getModuleIds()) {
        const { importedIds = [], dynamicallyImportedIds = [] } = this.getModuleInfo(id) ?? {};
        graph.set(id, { now: [...importedIds], later: [...dynamicallyImportedIds] });
      }
    },
  };
  const bundle = await rolldown(options(reader));
  await bundle.generate({ format: "esm" });
  return graph;
}

/**
 * Without groups the bundler makes a chunk for each set of modules that the same screens share: forty
 * small files for the dashboard, which compress worse than one. What visitors may need later is kept
 * apart from the dashboard's, so that they never load any of it.
 */
function groupsOf(graph: Graph) {
  const visitors = reachable(graph, [ENTRY], (id) => !isOwners(id));
  // What the home page and the dashboard share comes with the entry, so that neither loads the other's.
  const [home, dashboard] = [TOGETHER["home"]!, TOGETHER["dashboard"]!].map((roots) =>
    reachable(graph, roots),
  );
  const shared = [...home!].filter((id) => dashboard!.has(id));
  const taken = new Set<string>();
  return Object.entries(TOGETHER).flatMap(([name, roots], at) => {
    const reached = [...reachable(graph, roots), ...(roots.includes(ENTRY) ? shared : [])];
    const needed = reached.filter((id) => !NOT_AT_ONCE.test(id));
    const modules = needed.filter((id) => !taken.has(id));
    for (const id of modules) taken.add(id);
    const group = (label: string, members: ReadonlySet<string>) => ({
      name: label,
      test: (id: string) => members.has(id),
      priority: 100 - at,
    });
    if (name !== "dashboard") return [group(name, new Set(modules))];
    return [
      group("shared", new Set(modules.filter((id) => visitors.has(id)))),
      group(name, new Set(modules.filter((id) => !visitors.has(id)))),
    ];
  });
}

const isOwners = (id: string) =>
  id.includes("/src/web/admin/") || id.endsWith("/src/web/previews/sectionPreviews.ts");

/** What `roots` import at once; with `later` also what they import when it is wanted, where it is true. */
function reachable(
  graph: Graph,
  roots: readonly string[],
  later: (id: string) => boolean = () => false,
): Set<string> {
  const seen = new Set<string>();
  const queue = [...roots];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const imports = graph.get(id);
    queue.push(...(imports?.now ?? []), ...(imports?.later ?? []).filter(later));
  }
  return seen;
}

/** The programs that stand in pages themselves, each as one expression that runs at once. */
export async function buildInlineCode(): Promise<InlineCode> {
  const [firstScreen, pictureArrival, starter] = await Promise.all(
    ["firstScreen", "pictureArrival", "starter"].map(async (name) => {
      const bundle = await rolldown({ input: web(`inline/${name}.ts`), platform: "browser" });
      const { output } = await bundle.generate({ format: "iife", minify: true });
      return `${output[0].code.trim().replace(/;$/, "")};`;
    }),
  );
  return { firstScreen: firstScreen!, pictureArrival: pictureArrival!, starter: starter! };
}

/** React has `useSyncExternalStore` itself: the stand-in for versions before 18 stays out of the bundle. */
const reactsOwnStore: Plugin = {
  name: "React's own useSyncExternalStore",
  load: {
    filter: { id: /use-sync-external-store\/shim\/index\.js$/ },
    handler: () =>
      'module.exports = { useSyncExternalStore: require("react").useSyncExternalStore };',
  },
};

/** The dashboard's writes are its own (admin/data/writes.ts): TanStack Query's stay out of the bundle. */
const readsOnly: Plugin = {
  name: "reads only",
  load: {
    filter: { id: /query-core\/build\/modern\/mutationCache\.js$/ },
    handler: () => "export class MutationCache { clear() {} resumePausedMutations() {} }",
  },
};

/** Every route has an error page of ours: the router's own stays out of the bundle. */
const ownErrorPages: Plugin = {
  name: "own error pages",
  transform: {
    filter: { id: /react-router\/dist\/esm\/CatchBoundary\.js$/ },
    handler: (code) => {
      const own = code.replace(
        /^function ErrorComponent[\s\S]+?^}$/m,
        "const ErrorComponent = null;",
      );
      if (own === code) throw new Error("The router's error page is not where it was.");
      return own;
    },
  },
};

/** Jodit's plugins behind our buttons (specification, section 2.11), and those that keep the text clean. */
const PLUGINS = [
  "clean-html",
  "clipboard",
  "dtd",
  "indent",
  "justify",
  "key-arrow-outside",
  "ordered-list",
  "paste",
  "placeholder",
  "select",
  "tab",
  "wrap-nodes",
];

/** Leaves out of Jodit what the dashboard never offers: half of its plugins and all translations. */
const slimEditor: Plugin = {
  name: "slim editor",
  load: {
    filter: { id: /jodit\/esm\/(?:plugins\/all|languages)\.js$/ },
    handler: (id) =>
      id.endsWith("languages.js")
        ? "export default {};"
        : PLUGINS.map((name) => `import "./${name}/${name}.js";`).join("\n"),
  },
  // RichTextField.tsx brings the styles itself, as a sheet of their own.
  resolveId: {
    filter: { id: /jodit\.min\.css$/ },
    handler: (_id, importer) =>
      importer?.includes("jodit-react") ? { id: "\0no styles", moduleSideEffects: false } : null,
  },
};

/** An empty module in place of styles that nobody uses. */
const noStyles: Plugin = {
  name: "no styles",
  load: { filter: { id: /^\0no styles$/ }, handler: () => "export default '';" },
};

/** The shapes of accounts, sessions, the bin and the audit log stay on the server: no screen edits them. */
const noServerEntities: Plugin = {
  name: "no server entities",
  load: {
    filter: { id: /\/src\/schema\/serverEntities\.ts$/ },
    handler: () => "export const serverEntities = {};",
  },
};

/** Puts the table in the place of the module that makes it from every declaration. */
const freshness: Plugin = {
  name: "freshness",
  load: {
    filter: { id: /\/src\/schema\/freshness\.ts$/ },
    handler: () => `export const FRESH_FOR = ${JSON.stringify(FRESH_FOR)};`,
  },
};
