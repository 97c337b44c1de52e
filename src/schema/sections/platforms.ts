/** The platforms of connect links (specification, section 3.7): name, brand color and example address. */
import { parsedUrl } from "../core/boundedUnicode.ts";

interface Platform {
  readonly value: string;
  readonly label: string;
  /** The brand color, shown on hover and focus. */
  readonly color: string;
  /** Prefills the URL when the platform is chosen. */
  readonly example: string;
}

/** All platforms, in the order offered. */
export const PLATFORMS: readonly Platform[] = [
  {
    value: "instagram",
    label: "Instagram",
    color: "#E4405F",
    example: "https://instagram.com/username",
  },
  { value: "twitter", label: "X", color: "#000000", example: "https://x.com/username" },
  { value: "tiktok", label: "TikTok", color: "#000000", example: "https://tiktok.com/@username" },
  {
    value: "youtube",
    label: "YouTube",
    color: "#FF0000",
    example: "https://youtube.com/@username",
  },
  {
    value: "facebook",
    label: "Facebook",
    color: "#0866FF",
    example: "https://facebook.com/username",
  },
  {
    value: "linkedin",
    label: "LinkedIn",
    color: "#0A66C2",
    example: "https://linkedin.com/in/username",
  },
  {
    value: "snapchat",
    label: "Snapchat",
    color: "#FFFC00",
    example: "https://snapchat.com/add/username",
  },
  { value: "twitch", label: "Twitch", color: "#9146FF", example: "https://twitch.tv/username" },
  {
    value: "spotify",
    label: "Spotify",
    color: "#1DB954",
    example: "https://open.spotify.com/artist/id",
  },
  {
    value: "onlyfans",
    label: "OnlyFans",
    color: "#00AFF0",
    example: "https://onlyfans.com/username",
  },
  { value: "website", label: "Website", color: "#6B7280", example: "https://example.com" },
];

/**
 * Includes those that aren't offered but may be stored, since the welcome assistant asks for them: they have an icon
 * and a name too. In the order of the icon sprite.
 */
export const PLATFORMS_BY_VALUE: readonly Platform[] = [
  { value: "whatsapp", label: "WhatsApp", color: "#25D366", example: "https://wa.me/number" },
  ...PLATFORMS,
];

/** Asked before an unedited example is saved. */
export const EXAMPLE_QUESTION = "This is still the example link. Save it anyway?";

/** The URL before a name of a platform; undefined where pages have no names. */
export const profileBase = (value: string): string | undefined =>
  /^(.*)username$/.exec(platformOf(value).example)?.[1];

/** The URL of a page on a platform by its name, such as `@annlee`; any other text is returned unchanged. */
export function profileUrl(value: string, typed: string): string {
  const [, name] = /^@?((?!www\.)[\w.-]{1,60})$/.exec(typed.trim()) ?? [];
  const base = profileBase(value);
  const isHost = base !== undefined && parsedUrl(base)?.hostname === name;
  return base === undefined || name === undefined || isHost ? typed : base + name;
}

/** True for an unedited example URL. */
export function isExample(url: string): boolean {
  const plain = url.toLowerCase().replace(/\/$/, "");
  return PLATFORMS_BY_VALUE.some(({ example }) => example === plain);
}

/** A platform by its key; an unknown one gets a gray globe (specification, section 3.7). */
export function platformOf(value: string): Platform {
  const match = PLATFORMS_BY_VALUE.find((platform) => platform.value === value);
  return (
    match ?? { value: "website", label: value, color: "#6B7280", example: "https://example.com" }
  );
}

/** A platform's position in the icon sprite, from 0 to 1; unknown ones share the globe. */
export function platformIconIndex(value: string): number {
  const names = PLATFORMS_BY_VALUE.map((platform) => platform.value);
  return names.indexOf(platformOf(value).value) / (names.length - 1);
}
