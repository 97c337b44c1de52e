/** Reads the data that decides which items visitors see. */
import { type Content, entities } from "../../schema/index.ts";
import type { VisibilityContext } from "../../schema/entities/visitorView.ts";
import { getSiteTimeZone } from "./siteZone.ts";

type VisibilityStore = Parameters<typeof getSiteTimeZone>[0] & {
  of(entity: typeof entities.extras): { read(): { readonly value: Content<"extras"> } };
};

/** Reads the active extras and the time zone from the store. `now` is in milliseconds since 1970. */
export const createVisibilityContext = (
  store: VisibilityStore,
  now: number,
): VisibilityContext => ({
  enabledExtras: store.of(entities.extras).read().value.on,
  now,
  zone: getSiteTimeZone(store),
});
