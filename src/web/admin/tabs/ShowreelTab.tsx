/** The Showreel tab: videos, section settings, preview. */
import type { Item } from "../../../schema/index.ts";
import { parseVideo } from "../../../schema/sections/videoAddress.ts";
import { UploadPicture } from "../parts/UploadPicture.tsx";
import { Badge } from "../parts/Card.tsx";
import { createSectionTab } from "./SectionTab.tsx";

export const ShowreelTab = createSectionTab("videos", {
  Row: (video) => <VideoRow {...video} />,
});

/** Names the host and marks the video that pages show large. */
function VideoRow({ title, url, poster, length, captioned, order }: Item<"videos">) {
  const facts = [describeHost(url), length, captioned && "Captions"].filter(Boolean);
  return (
    <>
      {poster && <UploadPicture url={poster} />}
      <span className="row-text title-note">
        <strong>{title}</strong>
        <span className="quiet">{facts.join(" · ")}</span>
      </span>
      {order === 0 && <Badge>Large</Badge>}
    </>
  );
}

function describeHost(url: string): string {
  const host = parseVideo(url)?.host ?? (URL.canParse(url) ? new URL(url).host : "");
  return parseVideo(url) ? host : host && `Opens on ${host}`;
}
