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

const BRANDS = {
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
const OTHERS = { linkedin: "linkedin", website: "globe2" };

/**
 * Writes the sprite and answers its address: `<use href="{address}#instagram">` shows an icon in the
 * colour of the words around it. An unknown platform is shown as `website`, a globe.
 */
export async function buildPlatformIcons(outdir: string): Promise<string> {
  const brands = Object.entries(BRANDS).map(([name, { path }]) =>
    symbol(name, "0 0 24 24", `<path d="${path}"/>`),
  );
  const others = await Promise.all(Object.entries(OTHERS).map(bootstrapIcon));
  const sprite = `<svg xmlns="http://www.w3.org/2000/svg">${[...brands, ...others].join("")}</svg>`;
  const name = `platforms-${Bun.hash(sprite).toString(36).slice(0, 8)}.svg`;
  await Bun.write(join(outdir, name), sprite);
  return `/assets/${name}`;
}

async function bootstrapIcon([name, file]: [string, string]): Promise<string> {
  const svg = await Bun.file(`node_modules/bootstrap-icons/icons/${file}.svg`).text();
  return symbol(name, "0 0 16 16", svg.replace(/^[\s\S]*?<svg[^>]*>|<\/svg>\s*$/g, "").trim());
}

function symbol(id: string, viewBox: string, content: string): string {
  return `<symbol id="${id}" viewBox="${viewBox}">${content}</symbol>`;
}
