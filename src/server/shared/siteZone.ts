/** The site's time zone: its own, or the machine's if none is set. */
import { type Content, entities } from "../../schema/index.ts";
import { isTimeZone } from "../../schema/kinds/timeKinds.ts";
import type { Log } from "./log.ts";

type Site = Content<"site">;

interface SiteStore {
  of(entity: typeof entities.site): {
    read(): { readonly value: Site };
    update(change: (value: Site) => Site): Promise<unknown>;
  };
  onChange(listener: (name: string) => void): unknown;
}

export const storeTimeZone = (store: Pick<SiteStore, "of">): string =>
  siteTimeZone(store.of(entities.site).read().value);

/** The zone stored with a site; the machine's if the system doesn't support that name. */
export function siteTimeZone(site: Pick<Site, "timeZone"> | undefined): string {
  return (site && validZone(site.timeZone)) || Temporal.Now.timeZoneId();
}

let lastValidZone = "";

/** Cached: asking the system takes longer than sending a page. */
function validZone(name: string): string | undefined {
  if (name !== lastValidZone && isTimeZone(name)) lastValidZone = name;
  return name === lastValidZone ? name : undefined;
}

/** Stores the zone of an owner's browser as the site's if none is set. A failure doesn't stop the login. */
export async function adoptTimeZone(store: SiteStore, sent: unknown): Promise<void> {
  const site = store.of(entities.site);
  if (typeof sent !== "string" || !isTimeZone(sent) || site.read().value.timeZone !== "") return;
  const withZone = (value: Site) => (value.timeZone === "" ? { ...value, timeZone: sent } : value);
  await site.update(withZone).catch(() => undefined);
}

/** Logs an unknown stored zone, now and whenever the site changes. */
export function reportUnknownZone(store: SiteStore, log: Log): void {
  const report = () => {
    const { timeZone } = store.of(entities.site).read().value;
    if (timeZone !== "" && !isTimeZone(timeZone))
      log(`time zone ${timeZone} is unknown on this machine; using ${storeTimeZone(store)}`);
  };
  report();
  store.onChange((name) => name === entities.site.name && report());
}
