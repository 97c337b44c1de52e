/** The time zone that a site goes by: its own, or the machine's while it has none. */
import { type Content, entities } from "../../schema/index.ts";
import { isTimeZone } from "../../schema/timeKinds.ts";
import type { Log } from "./log.ts";

type Site = Content<"site">;

/** Where the site is kept. */
interface SiteStore {
  of(entity: typeof entities.site): {
    read(): { readonly value: Site };
    update(change: (value: Site) => Site): Promise<unknown>;
  };
  onChange(listener: (name: string) => void): unknown;
}

/** The name of the zone of a site that is open. */
export const zoneOf = (store: Pick<SiteStore, "of">): string =>
  zoneIn(store.of(entities.site).read().value);

/** The name of the zone that is stored with a site; a name that the system doesn't know is the machine's. */
export function zoneIn(site: Pick<Site, "timeZone"> | undefined): string {
  return (site && known(site.timeZone)) || Temporal.Now.timeZoneId();
}

let lastKnown = "";

/** Asking the system takes longer than a page does to be sent. */
function known(name: string): string | undefined {
  if (name !== lastKnown && isTimeZone(name)) lastKnown = name;
  return name === lastKnown ? name : undefined;
}

/** Notes the zone of an owner's browser as the site's, while that has none. Nobody is kept from logging in by it. */
export async function takeZone(store: SiteStore, sent: unknown): Promise<void> {
  const site = store.of(entities.site);
  if (typeof sent !== "string" || !isTimeZone(sent) || site.read().value.timeZone !== "") return;
  const take = (value: Site) => (value.timeZone === "" ? { ...value, timeZone: sent } : value);
  await site.update(take).catch(() => undefined);
}

/** Writes a line where the stored zone is not known, now and when the site changes. */
export function reportUnknownZone(store: SiteStore, log: Log): void {
  const report = () => {
    const { timeZone } = store.of(entities.site).read().value;
    if (timeZone !== "" && !isTimeZone(timeZone))
      log(`the time zone ${timeZone} isn't known here: the site goes by ${zoneOf(store)}`);
  };
  report();
  store.onChange((name) => name === entities.site.name && report());
}
