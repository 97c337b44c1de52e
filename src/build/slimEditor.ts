/** Leaves out of Jodit what the dashboard never offers: half of its plugins and all translations. */
import type { BunPlugin } from "bun";

/** The plugins behind the toolbar of spec section 2, and those that keep pasted text clean. */
const PLUGINS = [
  "clean-html",
  "clipboard",
  "dtd",
  "indent",
  "inline-popup",
  "justify",
  "key-arrow-outside",
  "link",
  "ordered-list",
  "paste",
  "paste-from-word",
  "paste-storage",
  "placeholder",
  "select",
  "tab",
  "wrap-nodes",
];

/** Takes the place of the editor's own lists of plugins and languages in the browser's bundle. */
export const slimEditor: BunPlugin = {
  name: "slim editor",
  setup(build) {
    build.onLoad({ filter: /jodit\/esm\/plugins\/all\.js$/ }, () => ({
      contents: PLUGINS.map((name) => `import "./${name}/${name}.js";`).join("\n"),
      loader: "js",
    }));
    build.onLoad({ filter: /jodit\/esm\/languages\.js$/ }, () => ({
      contents: "export default {};",
      loader: "js",
    }));
    // RichTextField.tsx brings the styles itself, as a sheet of their own.
    build.onResolve({ filter: /jodit\.min\.css$/ }, ({ importer }) =>
      importer.includes("jodit-react") ? { path: "none", namespace: "no-styles" } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: "no-styles" }, () => ({ contents: "", loader: "js" }));
  },
};
