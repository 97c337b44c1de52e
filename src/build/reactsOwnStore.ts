/** React has `useSyncExternalStore` itself: the stand-in for versions before 18 stays out of the bundle. */
import type { BunPlugin } from "bun";

/** Answers imports of the stand-in with React's own function. */
export const reactsOwnStore: BunPlugin = {
  name: "React's own useSyncExternalStore",
  setup(build) {
    build.onLoad({ filter: /use-sync-external-store\/shim\/index\.js$/ }, () => ({
      contents: 'module.exports = { useSyncExternalStore: require("react").useSyncExternalStore };',
      loader: "js",
    }));
  },
};
