/** The icons of the platforms that an owner links to, as one picture. */
import { join } from "node:path";
import {
  siFacebook,
  siInstagram,
  siOnlyfans,
  siSnapchat,
  siSpotify,
  siTiktok,
  siTwitch,
  siWhatsapp,
  siX,
  siYoutube,
} from "simple-icons";
import { ALL_PLATFORMS } from "../schema/sections/platforms.ts";

const BRAND_ICONS: Record<string, { path: string }> = {
  instagram: siInstagram,
  twitter: siX,
  tiktok: siTiktok,
  youtube: siYoutube,
  facebook: siFacebook,
  snapchat: siSnapchat,
  twitch: siTwitch,
  spotify: siSpotify,
  onlyfans: siOnlyfans,
  whatsapp: siWhatsapp,
};
/** Icons from Bootstrap Icons (docs/licenses.md), since simple-icons doesn't have them. */
const BOOTSTRAP_ICON_NAMES: Record<string, string> = { linkedin: "linkedin", website: "globe2" };

const ICON_SIDE_UNITS = 24;

/** Writes a sprite of all icons and returns its URL. Styles use it as a mask, so that icons have the text's color. */
export async function buildPlatformIcons(outdir: string): Promise<string> {
  const icons = await Promise.all(ALL_PLATFORMS.map(({ value }) => readIcon(value)));
  const elements = icons.map(({ box, content }, index) => {
    const attributes = `x="${index * ICON_SIDE_UNITS}" width="${ICON_SIDE_UNITS}" height="${ICON_SIDE_UNITS}" viewBox="0 0 ${box} ${box}"`;
    return `<svg ${attributes}>${content}</svg>`;
  });
  const size = `width="${icons.length * ICON_SIDE_UNITS}" height="${ICON_SIDE_UNITS}"`;
  const sprite = `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${elements.join("")}</svg>`;
  const name = `platforms-${Bun.hash(sprite).toString(36).slice(0, 8)}.svg`;
  await Bun.write(join(outdir, name), sprite);
  return `/assets/${name}`;
}

/** Returns an icon's drawing, and the side of its square view box. */
async function readIcon(platform: string): Promise<{ box: number; content: string }> {
  const brand = BRAND_ICONS[platform];
  if (brand) return { box: 24, content: `<path d="${brand.path}"/>` };
  const file = BOOTSTRAP_ICON_NAMES[platform];
  if (!file)
    throw new Error(
      `There is no icon for the platform ${platform}. Add one in src/build/platformIcons.ts.`,
    );
  const svg = await Bun.file(`node_modules/bootstrap-icons/icons/${file}.svg`).text();
  return { box: 16, content: svg.replace(/^[\s\S]*?<svg[^>]*>|<\/svg>\s*$/g, "").trim() };
}
