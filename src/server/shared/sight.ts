/** When and of what site something is seen: by the extras that are on, and in the site's time zone. */
import { type Content, entities } from "../../schema/index.ts";
import type { Sight } from "../../schema/visitorView.ts";
import { zoneOf } from "./siteZone.ts";

/** Where it is kept what is on. */
type SightStore = Parameters<typeof zoneOf>[0] & {
  of(entity: typeof entities.extras): { read(): { readonly value: Content<"extras"> } };
};

/** Of a site that is open; `now` in milliseconds since 1970. */
export const sightAt = (store: SightStore, now: number): Sight => ({
  on: store.of(entities.extras).read().value.on,
  now,
  zone: zoneOf(store),
});
