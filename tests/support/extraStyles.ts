/** The style sheets of extras, as in pages. */
import { loadWebBuild } from "../../src/server/pages/webBuild.ts";

const { inline } = await loadWebBuild();

/** The style element of `key`, an extra or "beforeAfter". */
export const getStyleElement = (key: string): string => `<style>${inline.extraStyles[key]}</style>`;
