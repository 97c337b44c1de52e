/** The site's time zone: its own, or the machine's if none is set. */
import { type Content, entities } from "../../schema/index.ts";
import { isTimeZone } from "../../schema/kinds/timeKinds.ts";
import type { Log } from "./log.ts";

type SiteContent = Content<"site">;

interface SiteStore {
  of(entity: typeof entities.site): {
    read(): { readonly value: SiteContent };
    update(change: (value: SiteContent) => SiteContent): Promise<unknown>;
  };
  onChange(listener: (name: string) => void): unknown;
}

export const getSiteTimeZone = (store: Pick<SiteStore, "of">): string =>
  resolveTimeZone(store.of(entities.site).read().value);

/** Returns the time zone stored with a site, or the machine's zone if the system doesn't support the stored one. */
export function resolveTimeZone(site: Pick<SiteContent, "timeZone"> | undefined): string {
  return (site && findValidZone(site.timeZone)) || Temporal.Now.timeZoneId();
}

let lastValidZone = "";

/** Returns a name if the system supports it. Caches the last one, since asking takes longer than sending a page. */
function findValidZone(name: string): string | undefined {
  if (name !== lastValidZone && isTimeZone(name)) lastValidZone = name;
  return name === lastValidZone ? name : undefined;
}

/** Stores the time zone of an owner's browser as the site's if none is set. A failure doesn't stop the login. */
export async function adoptTimeZone(store: SiteStore, zone: unknown): Promise<void> {
  const site = store.of(entities.site);
  if (typeof zone !== "string" || !isTimeZone(zone) || site.read().value.timeZone !== "") return;
  const setZone = (value: SiteContent) =>
    value.timeZone === "" ? { ...value, timeZone: zone } : value;
  await site.update(setZone).catch(() => undefined);
}

/** Logs a stored zone that the system doesn't support, now and whenever the site changes. */
export function reportUnknownZone(store: SiteStore, log: Log): void {
  const report = () => {
    const { timeZone } = store.of(entities.site).read().value;
    if (timeZone !== "" && !isTimeZone(timeZone))
      log(`time zone ${timeZone} is unknown on this machine; using ${getSiteTimeZone(store)}`);
  };
  report();
  store.onChange((name) => name === entities.site.name && report());
}
