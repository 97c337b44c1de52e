/** Applies a look to a site, as its owner does under Styles. */
import { entities } from "../../src/schema/index.ts";
import { COLORED_SETTINGS_KEYS, type Look, findLook, LOOKS } from "../../src/schema/looks/looks.ts";
import type { Callers } from "./site.ts";

/** One look for each layout of the first screen. Other looks differ only in fonts and colors. */
export const LOOK_OF_EACH_LAYOUT: readonly Look[] = [
  ...new Map(LOOKS.map((look) => [look.styles.heroLayout, look])).values(),
];

export async function applyLook(
  { asOwner }: Pick<Callers, "asOwner">,
  look: Look | string,
): Promise<void> {
  const { styles, sections } = typeof look === "string" ? findLook(look)! : look;
  const colors = COLORED_SETTINGS_KEYS.map((key) => ({
    name: entities[key].name,
    values: sections[key],
  }));
  const changes = [{ name: entities.styles.name, values: styles }, ...colors];
  await asOwner("POST", "/api/batch", { changes });
}
