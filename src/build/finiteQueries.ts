/** The dashboard pages through its lists itself: endless queries stay out of the bundle. */
import type { Plugin } from "rolldown";

/** Answers imports of what makes queries endless with nothing: no query of ours asks to be. */
export const finiteQueries: Plugin = {
  name: "no endless queries",
  load: {
    filter: { id: /query-core\/build\/modern\/infiniteQueryBehavior\.js$/ },
    handler: () =>
      "export const infiniteQueryBehavior = () => undefined, hasNextPage = () => false, hasPreviousPage = () => false;",
  },
};
