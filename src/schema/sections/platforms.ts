/** The platforms of connect links (specification, section 3.7): name, brand color and example address. */
import { parseUrl } from "../core/boundedUnicode.ts";

interface Platform {
  readonly value: string;
  readonly label: string;
  /** The brand color, which a link has on hover and focus. */
  readonly color: string;
  /** The unfinished URL that the form shows after the owner has chosen the platform. */
  readonly example: string;
}

/** The platforms that owners can choose in the form, in this order. */
export const OFFERED_PLATFORMS: readonly Platform[] = [
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

/** All platforms, in the order of the icon sprite. Only the welcome assistant offers WhatsApp. */
export const ALL_PLATFORMS: readonly Platform[] = [
  { value: "whatsapp", label: "WhatsApp", color: "#25D366", example: "https://wa.me/number" },
  ...OFFERED_PLATFORMS,
];

/** The question before saving a link that still has the example URL. */
export const SAVE_EXAMPLE_QUESTION = "This is still the example link. Save it anyway?";

/** Returns the beginning of a platform's profile URLs, up to the username; undefined if they contain none. */
export const getProfileUrlBase = (value: string): string | undefined =>
  /^(.*)username$/.exec(getPlatform(value).example)?.[1];

/** Returns the profile URL for a username such as `@annlee`, in any script; otherwise the input. */
export function completeProfileUrl(platform: string, input: string): string {
  const [, name] = /^[@＠]?((?!www\.)[\p{L}\p{M}\d_.·-]{1,60})$/u.exec(input.trim()) ?? [];
  const base = getProfileUrlBase(platform);
  const isHost = base !== undefined && parseUrl(base)?.hostname === name;
  return base === undefined || name === undefined || isHost ? input : base + name;
}

/** True for the unedited example URL of a platform. */
export function isExampleUrl(url: string): boolean {
  const normalizedUrl = url.toLowerCase().replace(/\/$/, "");
  return ALL_PLATFORMS.some(({ example }) => example === normalizedUrl);
}

/** Returns a platform by its key. An unknown platform gets the gray globe of a website (specification, section 3.7). */
export function getPlatform(value: string): Platform {
  const match = ALL_PLATFORMS.find((platform) => platform.value === value);
  return (
    match ?? { value: "website", label: value, color: "#6B7280", example: "https://example.com" }
  );
}

/** Returns a platform's position in the icon sprite, from 0 to 1; unknown platforms share the globe. */
export function getPlatformIconPosition(value: string): number {
  const names = ALL_PLATFORMS.map((platform) => platform.value);
  return names.indexOf(getPlatform(value).value) / (names.length - 1);
}
