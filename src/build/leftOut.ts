/** Bundler plugins that leave out code of libraries and modules that browsers don't need. */
import { basename } from "node:path";
import type { Plugin } from "rolldown";
import { EXTRAS } from "../schema/extras.ts";
import { FRESH_FOR } from "../schema/freshness.ts";

/** React has `useSyncExternalStore` itself, so the shim for versions before 18 is left out. */
const reactsOwnStore: Plugin = {
  name: "React's own useSyncExternalStore",
  load: {
    filter: { id: /use-sync-external-store\/shim\/index\.js$/ },
    handler: () =>
      'module.exports = { useSyncExternalStore: require("react").useSyncExternalStore };',
  },
};

/** The dashboard has its own writes (admin/data/writes.ts), so TanStack Query's mutations are left out. */
const readsOnly: Plugin = {
  name: "reads only",
  load: {
    filter: { id: /query-core\/build\/modern\/mutationCache\.js$/ },
    handler: () => "export class MutationCache { clear() {} resumePausedMutations() {} }",
  },
};

/** Every route has our own error page, so the router's is left out. */
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

/**
 * All our icons are data, in the text's color and with a size, so the rest of the library's component is left out. It
 * renders the same elements as the library.
 */
const plainIcons: Plugin = {
  name: "plain icons",
  load: {
    filter: { id: /lucide-react\/dist\/esm\/createLucideIcon\.mjs$/ },
    handler: () => `
      import { createElement, forwardRef } from "react";
      export default ({ name, node }) =>
        forwardRef(({ size = 24, className = "", ...rest }, ref) =>
          createElement(
            "svg",
            {
              ref,
              xmlns: "http://www.w3.org/2000/svg",
              width: size,
              height: size,
              viewBox: "0 0 24 24",
              fill: "none",
              stroke: "currentColor",
              strokeWidth: 2,
              strokeLinecap: "round",
              strokeLinejoin: "round",
              className: ("lucide lucide-" + name + " " + className).trim(),
              "aria-hidden": !rest["aria-label"] || undefined,
              ...rest,
            },
            node.map(([tag, attributes]) => createElement(tag, attributes)),
          ),
        );`,
  },
};

/** The Jodit plugins behind our buttons (specification, section 2.11), and those that keep the text clean. */
const PLUGINS = [
  "clean-html",
  "clipboard",
  "dtd",
  "indent",
  "justify",
  "key-arrow-outside",
  "ordered-list",
  "placeholder",
  "select",
  "tab",
  "wrap-nodes",
];

/** Leaves out what the dashboard never offers of Jodit: half of its plugins, and all translations. */
const slimEditor: Plugin = {
  name: "slim editor",
  load: {
    filter: { id: /jodit\/esm\/(?:plugins\/all|languages)\.js$/ },
    handler: (id) =>
      id.endsWith("languages.js")
        ? "export default {};"
        : PLUGINS.map((name) => `import "./${name}/${name}.js";`).join("\n"),
  },
  // RichTextField.tsx loads the styles itself, as a separate sheet.
  resolveId: {
    filter: { id: /jodit\.min\.css$/ },
    handler: (_id, importer) =>
      importer?.includes("jodit-react") ? { id: "\0no styles", moduleSideEffects: false } : null,
  },
};

/** An empty module instead of unused styles. */
const noStyles: Plugin = {
  name: "no styles",
  load: { filter: { id: /^\0no styles$/ }, handler: () => "export default '';" },
};

/**
 * Entities that no screen edits (accounts, sessions, the bin, the audit log) stay on the server, and so does the
 * storage format of submissions. Extras are loaded with their tabs.
 */
const fewerEntities: Plugin = {
  name: "fewer entities",
  load: {
    filter: {
      id: /\/src\/schema\/(?:(?:server|extra)Entities|storedSubmission)\.ts$/,
    },
    handler: (id) => `export const ${basename(id, ".ts")} = {};`,
  },
};

/** Replaces the module by the table that it would derive from every declaration. */
const freshness: Plugin = {
  name: "freshness",
  load: {
    filter: { id: /\/src\/schema\/freshness\.ts$/ },
    handler: () => `export const FRESH_FOR = ${JSON.stringify(FRESH_FOR)};`,
  },
};

/** The same for the table of extras. */
const extras: Plugin = {
  name: "extras",
  load: {
    filter: { id: /\/src\/schema\/extras\.ts$/ },
    handler: () => `export const EXTRAS = ${JSON.stringify(EXTRAS)};`,
  },
};

/** Makes every import dynamic, so that editing one extra doesn't load the others' declarations. */
const declaredExtras: Plugin = {
  name: "declared extras",
  transform: {
    filter: { id: /\/src\/schema\/declaredExtras\.ts$/ },
    handler: (code) => {
      const fetched = [...code.matchAll(/^import \* as (\w+) from (".+?");$/gm)].map(
        ([, key, path]) => `${key}: () => import(${path})`,
      );
      return `const FETCHED = { ${fetched.join()} };
        export const declarationOf = (key) => Object.hasOwn(FETCHED, key) ? FETCHED[key]() : undefined;`;
    },
  },
};

/** Texts that only the server's pages and messages use. */
export const SERVERS_WORDS = [
  "refused",
  "listPages",
  "say",
  "letters",
  "times",
  "mail",
  "refusals",
];

/** Leaves them out of the site's texts for previews. */
const previewWords: Plugin = {
  name: "preview words",
  transform: {
    filter: { id: /\/src\/web\/words\/[a-z]{2}\.ts$/ },
    handler: (code, id) => SERVERS_WORDS.reduce((words, key) => withoutWords(words, key, id), code),
  },
};

function withoutWords(code: string, key: string, id: string): string {
  const without = code.replace(new RegExp(String.raw`\n  ${key}: (?:\{\n[^]*?\n  \}|\w+),`), "");
  if (without === code) throw new Error(`${id} has no words called "${key}".`);
  return without;
}

export const LEFT_OUT: readonly Plugin[] = [
  reactsOwnStore,
  readsOnly,
  ownErrorPages,
  plainIcons,
  slimEditor,
  noStyles,
  freshness,
  fewerEntities,
  extras,
  declaredExtras,
  previewWords,
];
