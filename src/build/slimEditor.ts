/** Leaves out of Jodit what the dashboard never offers: half of its plugins and all translations. */
import type { Plugin } from "rolldown";

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
export const slimEditor: Plugin = {
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

/** The module that stands for styles nobody wants. */
export const noStyles: Plugin = {
  name: "no styles",
  load: { filter: { id: /^\0no styles$/ }, handler: () => "export default '';" },
};
