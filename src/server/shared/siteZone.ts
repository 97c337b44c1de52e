/** The site's time zone: the stored zone, or the machine's zone if none is stored. */
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

/** Returns a site's stored time zone, or the machine's zone if none is stored or the system doesn't support it. */
export function resolveTimeZone(site: Pick<SiteContent, "timeZone"> | undefined): string {
  return (site && findValidZone(site.timeZone)) || Temporal.Now.timeZoneId();
}

let lastValidZone = "";

/** Returns `name` if the system supports this zone. Caches the last name, because the check is slow. */
function findValidZone(name: string): string | undefined {
  if (name !== lastValidZone && isTimeZone(name)) lastValidZone = name;
  return name === lastValidZone ? name : undefined;
}

/** Stores `zone`, the zone of an owner's browser, if the site has no zone. Ignores failures, so the login continues. */
export async function adoptTimeZone(store: SiteStore, zone: unknown): Promise<void> {
  const site = store.of(entities.site);
  if (typeof zone !== "string" || !isTimeZone(zone) || site.read().value.timeZone !== "") return;
  const setZone = (value: SiteContent) =>
    value.timeZone === "" ? { ...value, timeZone: zone } : value;
  await site.update(setZone).catch(() => undefined);
}

/** Logs a warning if the system doesn't support the stored zone, now and after each change of the site. */
export function reportUnknownZone(store: SiteStore, log: Log): void {
  const report = () => {
    const { timeZone } = store.of(entities.site).read().value;
    if (timeZone !== "" && !isTimeZone(timeZone))
      log(`time zone ${timeZone} is unknown on this machine; using ${getSiteTimeZone(store)}`);
  };
  report();
  store.onChange((name) => name === entities.site.name && report());
}
