/** Parses video URLs: the host, the video and the start time. */
import { parseUrl } from "../core/boundedUnicode.ts";

type VideoHost = "YouTube" | "Vimeo";

/** A video that can be played in place. */
interface PlayableVideo {
  readonly host: VideoHost;
  /** The video's page, for use as a link. */
  readonly pageUrl: string;
  /** The frame's URL, with autoplay. */
  readonly frameUrl: string;
}

/** The origins of each host's frames, for the content security policy. */
export const FRAME_ORIGINS: Readonly<Record<VideoHost, string>> = {
  YouTube: "https://www.youtube-nocookie.com",
  Vimeo: "https://player.vimeo.com",
};

/** The message for a URL of several videos, such as a channel, a playlist or a search, or with an incomplete id. */
export const NOT_A_SINGLE_VIDEO_MESSAGE =
  "This link doesn't lead to a single video. Open the video and paste its link.";

/** Returns the video at a URL; undefined for other hosts, whose URLs are ordinary links. */
export function parseVideo(address: string): PlayableVideo | undefined {
  const url = parseAddress(address);
  const host = url && findVideoHost(url);
  return host && VIDEO_PARSERS[host](url);
}

/** Returns why a URL is refused; channels, playlists and searches have several videos. */
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

/** Compares the whole host name, since a similar name belongs to somebody else. */
function findVideoHost({ hostname }: URL): VideoHost | undefined {
  const name = hostname.replace(/^(?:www|m|music|player|studio)\./, "");
  if (["youtube.com", "youtu.be", "youtube-nocookie.com"].includes(name)) return "YouTube";
  return name === "vimeo.com" ? "Vimeo" : undefined;
}

/** The paths of pages with several videos. */
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
 * A video's id at the beginning of a text: people append `&t=42` to a short link. Two words are as long as an id, but
 * stand for a playlist and a channel.
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

/** Owners also paste addresses from a host's dashboard: `/manage/videos/1`, or `studio.youtube.com/video/1/edit`. */
const VIMEO_PATH_PATTERN =
  /^\/(?:video\/|manage\/(?:videos\/)?|channels\/[\w-]{1,60}\/|groups\/[\w-]{1,60}\/videos\/|(?:showcase|album)\/\d{1,12}\/video\/|[\w-]{1,60}\/review\/)?(\d{1,12})(?:\/([\da-f]{6,40}))?(?:\/[a-z-]{1,30})?\/?$/;

/** Parses a Vimeo URL. The second part of its path, or the parameter `h`, gives access to an unlisted video. */
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

/** The video that is open in a showcase: `/showcase/1?video=2`. */
const findShowcaseVideo = (pathname: string, searchParams: URLSearchParams) =>
  /^\/(?:showcase|album)\/\d{1,12}\/?$/.test(pathname)
    ? /^\d{1,12}$/.exec(searchParams.get("video") ?? "")?.[0]
    : undefined;

/** The start time in a URL's fragment, such as `#t=90s`, or `#at=90` in older links of Vimeo. */
const getFragmentTime = (hash: string): string => /^#a?t=(.*)$/s.exec(hash)?.[1] ?? "";

const TIME_PATTERN = /^(?:(\d{1,2})h)?(?:(\d{1,3})m)?(?:(\d{1,5})(?:\.\d*)?s?)?$/;

/** Seconds from `90`, `90s`, `1m30s` or a player's `83.4567891`; 0 for anything else. */
function parseSeconds(text: string): number {
  const [, hours, minutes, seconds] = TIME_PATTERN.exec(text.slice(0, 40)) ?? [];
  return Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
}
