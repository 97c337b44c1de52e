/** Dresses a site in a look, as its owner does under Styles. */
import { entities } from "../../src/schema/index.ts";
import { COLORED, type Look, lookNamed } from "../../src/schema/looks/looks.ts";
import type { Callers } from "./site.ts";

export async function wear(
  { asOwner }: Pick<Callers, "asOwner">,
  look: Look | string,
): Promise<void> {
  const { styles, sections } = typeof look === "string" ? lookNamed(look)! : look;
  await asOwner("POST", "/api/styles", styles);
  for (const key of COLORED) await asOwner("POST", `/api/${entities[key].name}`, sections[key]);
}
