/** The style sheets of extras as pages contain them. */
import { loadWebBuild } from "../../src/server/pages/webBuild.ts";

const { inline } = await loadWebBuild();

/** The element with the sheet of `key`, an extra or "pair". */
export const styleOf = (key: string): string => `<style>${inline.extraStyles[key]}</style>`;
