/** React has `useSyncExternalStore` itself: the stand-in for versions before 18 stays out of the bundle. */
import type { Plugin } from "rolldown";

/** Answers imports of the stand-in with React's own function. */
export const reactsOwnStore: Plugin = {
  name: "React's own useSyncExternalStore",
  load: {
    filter: { id: /use-sync-external-store\/shim\/index\.js$/ },
    handler: () =>
      'module.exports = { useSyncExternalStore: require("react").useSyncExternalStore };',
  },
};
