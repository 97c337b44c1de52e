/** The tabs of extras that only replace the rows of their list: Packages and Showreel. */
import type { Item } from "../../../schema/index.ts";
import { Badge } from "../parts/Card.tsx";
import { createSectionTab } from "./SectionTab.tsx";
import { parseVideo } from "../../../schema/sections/videoAddress.ts";
import { UrlThumbnail } from "../parts/Thumbnail.tsx";

export const PackagesTab = createSectionTab("packages", {
  Row: (item) => <PackageRow {...item} />,
});

/** The row names the target of the button, so that the owner notices a wrong link. */
function PackageRow({
  title,
  price,
  per,
  buttonText,
  buttonLink,
  featured,
  isActive,
}: Item<"packages">) {
  const priceText = [price, per].filter(Boolean).join(", ");
  const target = buttonText === "" ? "no button" : `links to ${describeLink(buttonLink)}`;
  return (
    <>
      <span className="row-text title-note">
        <strong>{title}</strong>
        <span className="quiet">{[priceText, target].filter(Boolean).join(" · ")}</span>
      </span>
      {featured && <Badge>Highlighted</Badge>}
      {!isActive && <Badge>Hidden</Badge>}
    </>
  );
}

/** Returns a link's host, or its path if the link leads to a page of this site. */
const describeLink = (link: string | null) =>
  link === null ? "your enquiry form" : URL.parse(link)?.host || link;

export const ShowreelTab = createSectionTab("videos", {
  Row: (video) => <VideoRow {...video} />,
});

/** Pages show the first video large, so its row has a badge. */
function VideoRow({ title, url, poster, length, captioned, order }: Item<"videos">) {
  const facts = [describeHost(url), length, captioned && "Captions"].filter(Boolean);
  return (
    <>
      {poster && <UrlThumbnail url={poster} />}
      <span className="row-text title-note">
        <strong>{title}</strong>
        <span className="quiet">{facts.join(" · ")}</span>
      </span>
      {order === 0 && <Badge>Large</Badge>}
    </>
  );
}

function describeHost(url: string): string | undefined {
  const host = URL.parse(url)?.host;
  return parseVideo(url)?.host ?? (host && `Opens on ${host}`);
}
