/** Checks that imports go one way, and that every export is imported by another file. */
import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";

interface Import {
  readonly from: string;
  readonly to: string;
}

const SOURCE = join(import.meta.dir, "..", "src");
const SPECIFIER =
  /(?:^|[\s;}])(?:import|export)\s[^"';]*?from\s*["']([^"']+)["']|\bimport\s*\(\s*["']([^"']+)["']|^import\s+["']([^"']+)["']/gm;

const imports: Import[] = [];
const sources = new Map<string, string>();
for (const from of new Bun.Glob("**/*.{ts,tsx}").scanSync(SOURCE)) {
  const text = await readFile(join(SOURCE, from), "utf8");
  sources.set(from, text);
  for (const [, named, dynamic, bare] of text.matchAll(SPECIFIER)) {
    const to = (named ?? dynamic ?? bare)!;
    const path = to.startsWith(".") ? normalize(join(dirname(from), to)) : to;
    imports.push({ from, to: path });
  }
}

const isOwnModule = (path: string) => /^(?:\.\.\/|schema\/|server\/|web\/|main\.ts)/.test(path);
const isUnder = (path: string, ...folders: string[]) =>
  folders.some((each) => path.startsWith(each));
const findImports = (rule: (each: Import) => boolean) =>
  imports.filter(rule).map(({ from, to }) => `${from} imports ${to}`);

/**
 * Whether an import leads to a module that other parts may use: pages, messages and refusals all use the site's words.
 */
const isEntry = ({ from, to }: Import) =>
  (isUnder(from, "server/pages/") && to.startsWith("web/entry-server.")) ||
  isUnder(to, "web/words/");
const getFolder = (path: string) => /^server\/([\w-]+)\//.exec(path)?.[1];
const isCrossing = ({ from, to }: Import) =>
  (isUnder(from, "web/site/") && isUnder(to, "web/admin/")) ||
  (isUnder(from, "web/admin/") && isUnder(to, "web/site/")) ||
  (isUnder(from, "web/ui/") && isUnder(to, "web/site/", "web/admin/"));

/** Returns groups of two or more files that reach each other along `edges`, each group in alphabetical order. */
function findCircles(edges: readonly Import[]): string[][] {
  const next = Map.groupBy(edges, ({ from }) => from);
  const reach = (start: string) => {
    const seen = new Set<string>();
    const queue = [start];
    for (let each = queue.pop(); each !== undefined; each = queue.pop())
      for (const { to } of next.get(each) ?? [])
        if (!seen.has(to)) {
          seen.add(to);
          queue.push(to);
        }
    return seen;
  };
  const reached = new Map([...next.keys()].map((name) => [name, reach(name)]));
  const inCircles = [...reached].filter(([name, seen]) => seen.has(name));
  const groups = inCircles.map(([name, seen]) =>
    [...seen].filter((other) => reached.get(other)?.has(name)).sort(),
  );
  return [...new Map(groups.map((group) => [group.join(), group])).values()];
}

const ownImports = imports.filter(({ from, to }) => isOwnModule(to) && from !== to);
const folders = ownImports
  .map(({ from, to }) => ({ from: dirname(from), to: dirname(to) }))
  .filter(({ from, to }) => from !== to);

/** The layers from the lowest to the highest. Each imports only layers before it. */
const LAYERS = ["data", "parts", "editor", "tabs", "account", "frame"];
const getLayer = (path: string) => LAYERS.indexOf(/^web\/admin\/(\w+)\//.exec(path)?.[1] ?? "");

test("the scan for imports finds imports of every kind", () => {
  expect(imports.length).toBeGreaterThan(100);
  expect(imports).toContainEqual({ from: "server/app.ts", to: "elysia" });
  expect(imports).toContainEqual({ from: "server/app.ts", to: "server/http/requestHandler.ts" });
});

test("src/schema imports only its own files, valibot and the phone numbering plans", () => {
  expect(
    findImports(
      ({ from, to }) =>
        isUnder(from, "schema/") && !isUnder(to, "schema/", "valibot", "libphonenumber-js"),
    ),
  ).toEqual([]);
});

test("imports of our own files include the file's extension", () => {
  // limelightctl is a command for servers, so its name has no ending.
  const isCommand = (to: string) => to.endsWith("/deploy/limelightctl");
  expect(findImports(({ to }) => isOwnModule(to) && !/\.\w+$/.test(to) && !isCommand(to))).toEqual(
    [],
  );
});

test("src/web imports only src/web and src/schema, never src/server", () => {
  expect(
    findImports(
      ({ from, to }) => isUnder(from, "web/") && isOwnModule(to) && !isUnder(to, "web/", "schema/"),
    ),
  ).toEqual([]);
});

test("the server imports web code only through entry-server.tsx and the translations", () => {
  expect(
    findImports(
      (each) => isUnder(each.from, "server/") && isUnder(each.to, "web/") && !isEntry(each),
    ),
  ).toEqual([]);
});

/** The modules that every capability may import. */
const SHARED_FOLDERS = [
  "server/shared/",
  "server/storage/",
  "server/bin/",
  "server/http/",
  "server/accounts/guard.ts",
  "server/accounts/owner.ts",
];
/** Capabilities that build on others, with those others. The highest capability comes first. */
const CAPABILITY_DEPENDENCIES: Readonly<Record<string, readonly string[]>> = {
  enquiries: ["visitors", "bookings", "notifications", "mail"],
  bookings: ["mail"],
  testimonials: ["notifications", "mail"],
  newsletter: ["visitors", "mail"],
  notifications: ["mail"],
};

test("each folder of the server imports shared folders, and only the other folders that it may build on", () => {
  const isAllowed = ({ from, to }: Import) => {
    const [folder = "", other = ""] = [getFolder(from), getFolder(to)];
    const isBuiltOn = CAPABILITY_DEPENDENCIES[folder]?.includes(other) === true;
    return folder === "cli" || folder === other || isBuiltOn || isUnder(to, ...SHARED_FOLDERS);
  };
  const across = ({ from, to }: Import) => getFolder(from) !== undefined && !!getFolder(to);
  expect(findImports((each) => across(each) && !isAllowed(each))).toEqual([]);
  const highest = Object.keys(CAPABILITY_DEPENDENCIES);
  for (const [folder, others] of Object.entries(CAPABILITY_DEPENDENCIES))
    for (const other of others.filter((each) => highest.includes(each)))
      expect(highest.indexOf(other)).toBeGreaterThan(highest.indexOf(folder));
  const unused = Object.entries(CAPABILITY_DEPENDENCIES).flatMap(([folder, others]) =>
    others.filter(
      (other) =>
        !imports.some(({ from, to }) => getFolder(from) === folder && getFolder(to) === other),
    ),
  );
  expect(unused).toEqual([]);
});

test("only app.ts and the command line assemble the application", () => {
  expect(
    findImports(({ from, to }) => to === "server/app.ts" && !isUnder(from, "server/cli/")),
  ).toEqual([]);
  expect(
    findImports(({ from, to }) => to === "server/routes.ts" && from !== "server/app.ts"),
  ).toEqual([]);
});

test("the folders site and admin never import each other, and ui imports neither of them", () => {
  expect(findImports(isCrossing)).toEqual([]);
});

test("no files import each other in a circle", () => {
  expect(findCircles(ownImports)).toEqual([]);
});

test("no folders import each other in a circle", () => {
  expect(findCircles(folders)).toEqual([]);
});

test("the dashboard's layers import only lower ones, in the order data, parts, editor, tabs, account, frame", () => {
  const upwards = ({ from, to }: Import) => getLayer(from) >= 0 && getLayer(to) > getLayer(from);
  expect(findImports(upwards)).toEqual([]);
});

const ROOT = join(SOURCE, "..");
const EXPORTED =
  /^export (?:async )?(?:const|let|function\*?|(?:abstract )?class|interface|type|enum) (?:([\w$]+)|[{[]([^}\]]*)[}\]])|^export (?:type )?\{([^}]*)\}/gm;
const NAMED = /(?:^|[\s;}])(?:import|export)\s([^"';]*?)\sfrom\s*["'](\.[^"']+)["']/g;
const LATE = /\bimport\s*\(\s*["'](\.[^"']+)["']/g;

/** Modules for future sections are named in the guide for adding one. */
const GUIDE = await readFile(join(ROOT, "docs", "adding-a-section.md"), "utf8");

const texts = new Map<string, string>();
for (const pattern of ["build.ts", "src/**/*.{ts,tsx}", "{tests,bench}/**/*.{ts,tsx}"])
  for (const path of new Bun.Glob(pattern).scanSync(ROOT))
    texts.set(path, await readFile(join(ROOT, path), "utf8"));

/** Returns the names between braces; for `a as b`, the name that the other file uses. */
const parseNames = (list: string, which: 0 | 1) =>
  list
    .split(",")
    .map((each) => each.trim().replace(/^type\s+/, ""))
    .filter(Boolean)
    .map((each) => each.split(/\s+as\s+|\s*:\s*/).at(which === 0 ? 0 : -1)!);

/** `file name` for each name that another file imports. */
const imported = new Set<string>();
/** By file that is re-exported as a whole: the file that re-exports it. */
const reexports = new Map<string, string>();
/** Modules that are imported as a whole or on demand, so any word in another file may be one of their exports. */
const wholeModules = new Set(
  [...texts.keys()].filter((path) => path.startsWith("src/web/inline/")),
);

for (const [from, text] of texts) {
  const pathOf = (specifier: string) => normalize(join(dirname(from), specifier));
  for (const [, clause, specifier] of text.matchAll(NAMED)) {
    const to = pathOf(specifier!);
    if (clause === "*") reexports.set(`${to} ${from}`, from);
    else if (clause!.includes("*")) wholeModules.add(to);
    for (const name of parseNames(/\{([^}]*)\}/.exec(clause!)?.[1] ?? "", 0))
      imported.add(`${to} ${name}`);
  }
  for (const [, specifier] of text.matchAll(LATE)) wholeModules.add(pathOf(specifier!));
}

function isImported(path: string, name: string): boolean {
  if (imported.has(`${path} ${name}`)) return true;
  const word = new RegExp(`\\b${name}\\b`);
  if (path.startsWith("src/schema/") && word.test(GUIDE)) return true;
  if (wholeModules.has(path)) {
    if ([...texts].some(([other, text]) => other !== path && word.test(text))) return true;
  }
  return [...reexports].some(([key, by]) => key.startsWith(`${path} `) && isImported(by, name));
}

test("every export is imported by another file", () => {
  const unused: string[] = [];
  for (const [path, text] of texts)
    for (const [, one, several, list] of text.matchAll(EXPORTED)) {
      if (!path.startsWith("src/")) continue;
      for (const name of one ? [one] : parseNames(several ?? list ?? "", 1))
        if (!isImported(path, name)) unused.push(`${path}: ${name}`);
    }
  expect(imported.size).toBeGreaterThan(1000);
  expect(unused).toEqual([]);
});

test("no input has the attribute maxlength, which would cut typed or pasted text", () => {
  const cutting = [...sources].filter(
    ([path, text]) => /^(?:web|server)\//.test(path) && /\bmaxlength\s*=\s*["'{]/i.test(text),
  );
  expect(cutting.map(([path]) => path)).toEqual([]);
});

test("no page uses randomUUID, which isn't available on sites over plain HTTP", () => {
  const using = [...sources].filter(
    ([path, text]) => path.startsWith("web/") && text.includes("randomUUID"),
  );
  expect(using.map(([path]) => path)).toEqual([]);
});
