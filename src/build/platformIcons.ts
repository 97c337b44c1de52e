/** Builds the one picture that holds the icons of all platforms (spec section 3, ConnectLink). */
import { join } from "node:path";
import {
  siFacebook,
  siInstagram,
  siOnlyfans,
  siSnapchat,
  siSpotify,
  siTiktok,
  siTwitch,
  siX,
  siYoutube,
} from "simple-icons";
import { PLATFORMS } from "../schema/platforms.ts";

const BRANDS: Record<string, { path: string }> = {
  instagram: siInstagram,
  twitter: siX,
  tiktok: siTiktok,
  youtube: siYoutube,
  facebook: siFacebook,
  snapchat: siSnapchat,
  twitch: siTwitch,
  spotify: siSpotify,
  onlyfans: siOnlyfans,
};
/** simple-icons has no LinkedIn; these come from Bootstrap Icons (docs/licences.md). */
const OTHERS: Record<string, string> = { linkedin: "linkedin", website: "globe2" };

/** The side of an icon in the picture. */
const SIDE = 24;

/**
 * Writes one row of all icons, in the order of `PLATFORMS`, and answers its address. It is a mask: the
 * styles show a piece of it in the colour of the words around it.
 */
export async function buildPlatformIcons(outdir: string): Promise<string> {
  const icons = await Promise.all(PLATFORMS.map(({ value }) => iconOf(value)));
  const row = icons.map(({ box, content }, place) => {
    const at = `x="${place * SIDE}" width="${SIDE}" height="${SIDE}" viewBox="0 0 ${box} ${box}"`;
    return `<svg ${at}>${content}</svg>`;
  });
  const size = `width="${icons.length * SIDE}" height="${SIDE}"`;
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${row.join("")}</svg>`;
  const name = `platforms-${Bun.hash(picture).toString(36).slice(0, 8)}.svg`;
  await Bun.write(join(outdir, name), picture);
  return `/assets/${name}`;
}

/** An icon's drawing in a square of `box`; rejects when a platform has none. */
async function iconOf(platform: string): Promise<{ box: number; content: string }> {
  const brand = BRANDS[platform];
  if (brand) return { box: 24, content: `<path d="${brand.path}"/>` };
  const file = OTHERS[platform];
  if (!file) throw new Error(`There is no icon for the platform ${platform}.`);
  const svg = await Bun.file(`node_modules/bootstrap-icons/icons/${file}.svg`).text();
  return { box: 16, content: svg.replace(/^[\s\S]*?<svg[^>]*>|<\/svg>\s*$/g, "").trim() };
}
