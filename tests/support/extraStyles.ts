/** The style sheets of extras, as pages contain them. */
import { loadWebBuild } from "../../src/server/pages/webBuild.ts";

const { inline } = await loadWebBuild();

/** Returns the style element of `key`, which is an extra or "beforeAfter". */
export const getStyleElement = (key: string): string => `<style>${inline.extraStyles[key]}</style>`;
