/** Videos that play in place (inline/embed.ts). No other host is contacted until a visitor starts a video. */
import type { Item } from "../../../schema/index.ts";
import type { Pictures } from "../../../schema/pictures/pictures.ts";
import { toSafeUrl } from "../../../schema/core/safeUrl.ts";
import { parseVideo } from "../../../schema/sections/videoAddress.ts";
import { type LoadedPage, getSingletonValue } from "../../shared/content.ts";
import { fillPlaceholders } from "../../words/placeholders.ts";
import { useWords } from "../../words/siteWords.ts";
import { Photo } from "../parts/Photo.tsx";
import { SectionShell } from "../parts/SectionShell.tsx";
import { TextLine } from "../parts/TextLine.tsx";
import { ExtraStyles } from "./ExtraStyles.tsx";

export function Showreel({ content, pictures }: LoadedPage) {
  const { words, lang } = useWords();
  const videos = content.videos ?? [];
  if (videos.length === 0) return null;
  const settings = getSingletonValue(content, "videoSettings");
  return (
    <>
      <ExtraStyles extra="showreel" />
      <SectionShell id="showreel" settings={settings}>
        <ul className="reel">
          {videos.map((video, index) => (
            <li key={video.id}>
              <VideoPoster video={video} pictures={pictures} isLarge={index === 0} />
            </li>
          ))}
        </ul>
        {findVideoHosts(videos).map((host) => (
          <p key={host} className="reel-host" lang={lang}>
            {fillPlaceholders(words.videos.hostNotice, { host })}
          </p>
        ))}
      </SectionShell>
    </>
  );
}

export const findVideoHosts = (videos: readonly Item<"videos">[]) => [
  ...new Set(videos.flatMap(({ url }) => parseVideo(url)?.host ?? [])),
];

interface VideoPosterProps {
  readonly video: Item<"videos">;
  readonly pictures: Pictures;
  readonly isLarge: boolean;
}

/** A link to the video. A press replaces the link with a player, if the video's host has one. */
function VideoPoster({
  video: { title, url, poster, length, captioned },
  pictures,
  isLarge,
}: VideoPosterProps) {
  const { words, lang } = useWords();
  const playableVideo = parseVideo(url);
  const details = [length, captioned && words.videos.captions].filter(Boolean).join(" · ");
  return (
    <>
      <a
        href={playableVideo?.pageUrl ?? toSafeUrl(url)}
        data-embed={playableVideo?.frameUrl}
        data-title={playableVideo && title}
      >
        <Photo
          src={poster}
          pictures={pictures}
          sizes={isLarge ? "96vw" : "(min-width: 1024px) 32vw, (min-width: 640px) 48vw, 9rem"}
          crop="heroWide"
          className="cover"
        />
        <span className="visually-hidden" dir="auto">
          <span lang={lang}>{words.videos.play}</span> {[title, length].filter(Boolean).join(", ")}
        </span>
      </a>
      <p dir="auto">
        <b>
          <TextLine text={title} />
        </b>
        {details && <span lang={captioned ? lang : undefined}>{details}</span>}
      </p>
    </>
  );
}
