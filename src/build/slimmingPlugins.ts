/** Bundler plugins that leave out code of libraries that our pages never run. */
import type { Plugin } from "rolldown";
import { FRESHNESS_MS } from "../schema/api/freshness.ts";

/** Leaves out the shim for React before 18, since React now has `useSyncExternalStore` itself. */
const reactStorePlugin: Plugin = {
  name: "React's own useSyncExternalStore",
  load: {
    filter: { id: /use-sync-external-store\/shim\/index\.js$/ },
    handler: () =>
      'module.exports = { useSyncExternalStore: require("react").useSyncExternalStore };',
  },
};

/** Replaces the icon library's component by a smaller one, which supports only what our icons use. */
const plainIconsPlugin: Plugin = {
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

/** The Jodit plugins for our buttons and keys (specification, section 2.11), and those that clean the text. */
const JODIT_PLUGINS = [
  "backspace",
  "bold",
  "clean-html",
  "clipboard",
  "color",
  "delete",
  "dtd",
  "enter",
  "font",
  "format-block",
  "hotkeys",
  "image",
  "indent",
  "justify",
  "key-arrow-outside",
  "ordered-list",
  "redo-undo",
  "select",
  "size",
  "tab",
  "table",
  "toolbar-navigation",
  "wrap-nodes",
];

/** Leaves out parts of Jodit that the dashboard doesn't use: half of its plugins, and all translations. */
const slimEditorPlugin: Plugin = {
  name: "slim editor",
  load: {
    filter: { id: /jodit\/esm\/(?:plugins\/(?:all|index)|languages)\.js$/ },
    handler: (id) =>
      id.endsWith("languages.js")
        ? "export default {};"
        : JODIT_PLUGINS.map((name) => `import "./${name}/${name}.js";`).join("\n"),
  },
  // RichTextField.tsx loads the styles itself, as a separate sheet.
  resolveId: {
    filter: { id: /jodit\.min\.css$/ },
    handler: (_id, importer) =>
      importer?.includes("jodit-react") ? { id: "\0no styles", moduleSideEffects: false } : null,
  },
};

const noStylesPlugin: Plugin = {
  name: "no styles",
  load: { filter: { id: /^\0no styles$/ }, handler: () => "export default '';" },
};

/** Replaces the computation in freshness.ts by its result, so that browsers don't load every declaration. */
const freshnessPlugin: Plugin = {
  name: "freshness",
  load: {
    filter: { id: /\/src\/schema\/api\/freshness\.ts$/ },
    handler: () => `export const FRESHNESS_MS = ${JSON.stringify(FRESHNESS_MS)};`,
  },
};

export const SLIMMING_PLUGINS: readonly Plugin[] = [
  reactStorePlugin,
  plainIconsPlugin,
  slimEditorPlugin,
  noStylesPlugin,
  freshnessPlugin,
];
