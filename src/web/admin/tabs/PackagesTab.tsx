/** The Packages tab: packages, section settings, preview. */
import type { Item } from "../../../schema/index.ts";
import { Badge } from "../parts/Card.tsx";
import { sectionTab } from "./SectionTab.tsx";

export const PackagesTab = sectionTab("packages", { Row: (item) => <Row {...item} /> });

/** A row shows its button's target, so that a changed link is noticed. */
function Row({ title, price, per, buttonText, buttonLink, featured, isActive }: Item<"packages">) {
  const cost = [price, per].filter(Boolean).join(", ");
  const target = buttonText === "" ? "no button" : `links to ${whereOf(buttonLink)}`;
  return (
    <>
      <span className="row-text title-note">
        <strong>{title}</strong>
        <span className="quiet">{[cost, target].filter(Boolean).join(" · ")}</span>
      </span>
      {featured && <Badge>Highlighted</Badge>}
      {!isActive && <Badge>Hidden</Badge>}
    </>
  );
}

/** The host, or the path within the site. */
function whereOf(link: string | null): string {
  if (link === null) return "your enquiry form";
  return URL.canParse(link) && new URL(link).host ? new URL(link).host : link;
}
