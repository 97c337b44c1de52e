/** First screens of every kind: looks, pictures and extras, with each pair of them at least once. */
import { entities } from "../../src/schema/index.ts";
import { type Look, LOOKS } from "../../src/schema/looks/looks.ts";
import { addAllExtras, EXTRAS } from "./allExtras.ts";
import { portraitFile, REAL_PORTRAITS } from "./realPortraits.ts";
import type { ProgramSite } from "./program.ts";
import { uploadPicture } from "./uploadPicture.ts";
import { wear } from "./wear.ts";

/** The pictures of the first screen. */
export const PHOTOS = ["upright", "wide", "none"] as const;

/** The extras of the site. */
export const ADDED = { nothing: [], announcement: ["announcement"], everything: EXTRAS } as const;

/** A site's arrangement. */
export interface Arrangement {
  readonly look: Look;
  readonly photo: (typeof PHOTOS)[number];
  readonly added: keyof typeof ADDED;
}

const ADDINGS = Object.keys(ADDED) as (keyof typeof ADDED)[];

/** All 54, or with `isPaired` the 18 in which each pair of look, photo and extras occurs. */
export const arrangements = (isPaired: boolean): Arrangement[] =>
  LOOKS.flatMap((look, row) =>
    PHOTOS.flatMap((photo, column) =>
      ADDINGS.filter((_, at) => !isPaired || (row + column) % 3 === at).map((added) => ({
        look,
        photo,
        added,
      })),
    ),
  );

type AnySite = Pick<ProgramSite, "asOwner" | "owner">;

/** Adds all extras to a sample site, uploads the pictures, and returns a function that arranges it. */
export async function arrangedSite(site: AnySite): Promise<(to: Arrangement) => Promise<void>> {
  await addAllExtras(site);
  const urls: Record<string, string | null> = { none: null };
  for (const [photo, name] of [
    ["upright", "collins"],
    ["wide", "collins-wide"],
  ] as const) {
    const portrait = REAL_PORTRAITS.find((each) => each.name === name)!;
    const { left, top, right, bottom } = portrait.face;
    const { id, url } = await uploadPicture(site, "portrait.jpg", await portraitFile(portrait));
    await site.asOwner("PUT", `/api/uploads/${id}`, {
      focus: { x: Math.round((left + right) / 2), y: Math.round((top + bottom) / 2) },
    });
    urls[photo] = url;
  }
  return async ({ look, photo, added }) => {
    for (const key of ["hero", "coachingHero"] as const) {
      const path = `/api/${entities[key].name}`;
      const hero = await site.asOwner("GET", path);
      await site.asOwner("POST", path, { ...hero, backgroundImage: urls[photo] });
    }
    await site.asOwner("POST", "/api/extras", { on: ADDED[added] });
    await wear(site, look);
  };
}
