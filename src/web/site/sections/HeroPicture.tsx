/** The picture behind the first screen, fetched before everything else. */
import { useRouter } from "@tanstack/react-router";
import type { CSSProperties } from "react";
import type { Pictures } from "../../../schema/pictures.ts";
import { Photo, type Sources, sourcesOf } from "../parts/Photo.tsx";

/**
 * How wide a picture the hero asks for. It covers the screen, so on an upright one it is wider than the
 * screen; half of that is out of sight, and 85 % of its height is sharp enough for what is left.
 */
const HERO_SIZES = "(orientation: portrait) 85vh, 100vw";

const PLACED = { sizes: HERO_SIZES, place: { wide: "heroWide", tall: "heroTall" } } as const;

export interface HeroPictureProps {
  readonly src: string;
  readonly pictures: Pictures;
  /** Whether the hero is told when the picture has come. */
  readonly noted?: boolean;
}

/**
 * Renders the picture, and right behind it the inline code that waits for it: only the server has that,
 * since inline code runs in no page that a script has made.
 */
export function HeroPicture({ src, pictures, noted = false }: HeroPictureProps) {
  const { ssr, context } = useRouter({ warn: false })?.options ?? {};
  const { firstScreen = "", pictureArrival = "" } = context?.server?.inline ?? {};
  const code = noted ? firstScreen + pictureArrival : firstScreen;
  return (
    <>
      <Photo src={src} pictures={pictures} {...PLACED} className="hero-picture" first />
      <script nonce={ssr?.nonce} dangerouslySetInnerHTML={{ __html: code }} />
    </>
  );
}

/** What the browser will choose the picture's file from, for whoever fetches it ahead. */
export const heroSources = (src: string, pictures: Pictures): Sources =>
  sourcesOf(src, { pictures, ...PLACED });

/** How much stronger the shade under a hero's words is on this picture (Hero.css). */
export function veiled(
  src: string | null | undefined,
  pictures: Pictures,
): CSSProperties | undefined {
  const veil = src ? pictures[src]?.veil : undefined;
  return veil && ({ "--veil-wide": veil.wide, "--veil-tall": veil.tall } as CSSProperties);
}
