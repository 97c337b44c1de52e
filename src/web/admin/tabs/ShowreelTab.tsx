/** The Showreel tab: videos, section settings, preview. */
import type { Item } from "../../../schema/index.ts";
import { parseVideo } from "../../../schema/sections/videoAddress.ts";
import { PictureOf } from "../parts/PictureOf.tsx";
import { Badge } from "../parts/Card.tsx";
import { sectionTab } from "./SectionTab.tsx";

export const ShowreelTab = sectionTab("videos", {
  Row: (video) => <Row {...video} />,
});

/** A row shows the host, and which video is large. */
function Row({ title, url, poster, length, captioned, order }: Item<"videos">) {
  const facts = [whereOf(url), length, captioned && "Captions"].filter(Boolean);
  return (
    <>
      {poster && <PictureOf url={poster} />}
      <span className="row-text title-note">
        <strong>{title}</strong>
        <span className="quiet">{facts.join(" · ")}</span>
      </span>
      {order === 0 && <Badge>Large</Badge>}
    </>
  );
}

function whereOf(url: string): string {
  const host = parseVideo(url)?.host ?? (URL.canParse(url) ? new URL(url).host : "");
  return parseVideo(url) ? host : host && `Opens on ${host}`;
}
