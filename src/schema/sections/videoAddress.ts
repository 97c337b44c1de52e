/** Parses the URLs of videos at YouTube and Vimeo: the video's id and the start time. */
import { parseUrl } from "../core/boundedUnicode.ts";

type VideoHost = "YouTube" | "Vimeo";

interface PlayableVideo {
  readonly host: VideoHost;
  /** The URL of the video's page, for links. */
  readonly pageUrl: string;
  /** The URL of the frame that plays the video, with autoplay. */
  readonly frameUrl: string;
}

/** The origin of each host's frames, for the content security policy. */
export const FRAME_ORIGINS: Readonly<Record<VideoHost, string>> = {
  YouTube: "https://www.youtube-nocookie.com",
  Vimeo: "https://player.vimeo.com",
};

/** The message for a URL of several videos, such as a channel or a playlist, or with an incomplete id. */
export const NOT_A_SINGLE_VIDEO_MESSAGE =
  "This link doesn't lead to a single video. Open the video and paste its link.";

/** Returns the video at a URL; undefined for any other URL, which is shown as an ordinary link. */
export function parseVideo(address: string): PlayableVideo | undefined {
  const url = parseAddress(address);
  const host = url && findVideoHost(url);
  return host && VIDEO_PARSERS[host](url);
}

/** Returns the message for a page with several videos, such as a channel or a playlist; undefined for other URLs. */
export function findVideoUrlProblem(address: string): string | undefined {
  const url = parseAddress(address);
  const host = url && findVideoHost(url);
  return host && MULTIPLE_VIDEO_PATH_PATTERNS[host].test(url.pathname) && !parseVideo(address)
    ? NOT_A_SINGLE_VIDEO_MESSAGE
    : undefined;
}

function parseAddress(address: string): URL | undefined {
  const url = parseUrl(address);
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}

/** Returns the video host of a URL. Compares the whole host name, since a similar name may belong to somebody else. */
function findVideoHost({ hostname }: URL): VideoHost | undefined {
  const name = hostname.replace(/^(?:www|m|music|player|studio)\./, "");
  if (["youtube.com", "youtu.be", "youtube-nocookie.com"].includes(name)) return "YouTube";
  return name === "vimeo.com" ? "Vimeo" : undefined;
}

/** The paths that need a video's id. Without it, they are channels, playlists, searches or incomplete video URLs. */
const MULTIPLE_VIDEO_PATH_PATTERNS: Readonly<Record<VideoHost, RegExp>> = {
  YouTube:
    /^\/(?:$|@|(?:channel|c|user|playlist|results|feed|watch|hashtag|shorts|live|embed|video)(?:\/|$))/,
  Vimeo:
    /^\/(?:$|user\d|(?:manage|channels|groups|showcase|album|search|watch|categories)(?:\/|$))/,
};

const VIDEO_PARSERS: Readonly<Record<VideoHost, (url: URL) => PlayableVideo | undefined>> = {
  YouTube: parseYouTube,
  Vimeo: parseVimeo,
};

/**
 * A video's id at the beginning of a text, since `&t=42` may follow it in a short link. `videoseries` (a playlist) and
 * `live_stream` (a channel) have the length of an id, but aren't ids.
 */
const YOUTUBE_ID_PATTERN = /^(?!videoseries|live_stream)[\w-]{11}(?![\w-])/;

function parseYouTube({ hostname, pathname, searchParams, hash }: URL): PlayableVideo | undefined {
  const [firstSegment = "", secondSegment = ""] = pathname.split("/").slice(1);
  const isShortLink = hostname.endsWith("youtu.be");
  const embeddedId = ["shorts", "live", "embed", "v", "e", "video", "watch"].includes(firstSegment)
    ? secondSegment
    : "";
  const idText = isShortLink ? firstSegment : (searchParams.get("v") ?? embeddedId);
  const [id] = YOUTUBE_ID_PATTERN.exec(idText) ?? [];
  if (id === undefined) return undefined;
  const start = parseSeconds(
    ["t", "start", "time_continue"].map((name) => searchParams.get(name)).find(Boolean) ??
      getFragmentTime(hash),
  );
  return {
    host: "YouTube",
    pageUrl: `https://www.youtube.com/watch?v=${id}${start ? `&t=${start}s` : ""}`,
    frameUrl: `${FRAME_ORIGINS.YouTube}/embed/${id}?autoplay=1&rel=0${start ? `&start=${start}` : ""}`,
  };
}

/** The paths of videos at Vimeo, including those of Vimeo's own dashboard (`/manage/videos/1`). */
const VIMEO_PATH_PATTERN =
  /^\/(?:video\/|manage\/(?:videos\/)?|channels\/[\w-]{1,60}\/|groups\/[\w-]{1,60}\/videos\/|(?:showcase|album)\/\d{1,12}\/video\/|[\w-]{1,60}\/review\/)?(\d{1,12})(?:\/([\da-f]{6,40}))?(?:\/[a-z-]{1,30})?\/?$/;

/** Parses a Vimeo URL. The key of an unlisted video is in the path after the id, or in the parameter `h`. */
function parseVimeo({ pathname, searchParams, hash }: URL): PlayableVideo | undefined {
  const [, id = findShowcaseVideo(pathname, searchParams), pathSecret] =
    VIMEO_PATH_PATTERN.exec(pathname.slice(0, 200)) ?? [];
  if (id === undefined) return undefined;
  const secretCandidate = pathSecret ?? searchParams.get("h") ?? "";
  const secret = /^[\da-f]{6,40}$/.test(secretCandidate) ? secretCandidate : undefined;
  const start = parseSeconds(searchParams.get("t") || getFragmentTime(hash));
  return {
    host: "Vimeo",
    pageUrl: `https://vimeo.com/${id}${secret ? `/${secret}` : ""}${start ? `#t=${start}s` : ""}`,
    frameUrl: `${FRAME_ORIGINS.Vimeo}/video/${id}?autoplay=1${secret ? `&h=${secret}` : ""}${start ? `#t=${start}s` : ""}`,
  };
}

/** Returns the id of the video that is open in a showcase, such as 2 in `/showcase/1?video=2`. */
const findShowcaseVideo = (pathname: string, searchParams: URLSearchParams) =>
  /^\/(?:showcase|album)\/\d{1,12}\/?$/.test(pathname)
    ? /^\d{1,12}$/.exec(searchParams.get("video") ?? "")?.[0]
    : undefined;

/** Returns the start time in a URL's fragment, such as `#t=90s`, or `#at=90` in older Vimeo links. */
const getFragmentTime = (hash: string): string => /^#a?t=(.*)$/s.exec(hash)?.[1] ?? "";

const TIME_PATTERN = /^(?:(\d{1,2})h)?(?:(\d{1,3})m)?(?:(\d{1,5})(?:\.\d*)?s?)?$/;

/** Returns the seconds of a start time such as `90`, `90s`, `1m30s` or `83.4567891`; 0 for any other text. */
function parseSeconds(text: string): number {
  const [, hours, minutes, seconds] = TIME_PATTERN.exec(text.slice(0, 40)) ?? [];
  return Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
}
