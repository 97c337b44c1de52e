/** Where else to find the performer: a row of round icons. */
import type { CSSProperties } from "react";
import { readableOn } from "../../../schema/contrast.ts";
import type { Item } from "../../../schema/index.ts";
import { platformOf } from "../../../schema/platforms.ts";
import { safeUrl } from "../../../schema/safeUrl.ts";
import { type LoadedPage, valueOf } from "../../content.ts";
import { SectionFrame } from "../SectionFrame.tsx";
import { PlatformIcon } from "./PlatformIcon.tsx";

/** Shows the links, or nothing when there are none (spec section 2, Connect). */
export function Connect({ content }: LoadedPage) {
  const links = (content.connectLinks ?? []).filter((link) => safeUrl(link.url));
  const settings = valueOf(content, "connectSettings");
  if (links.length === 0) return null;
  const note = <div className="rich" dangerouslySetInnerHTML={{ __html: settings.description }} />;
  return (
    <SectionFrame id="connect" className="connect" settings={settings} note={note}>
      <ul className="platforms">
        {links.map((link) => (
          <li key={link.id}>
            <PlatformLink {...link} />
          </li>
        ))}
      </ul>
    </SectionFrame>
  );
}

function PlatformLink({ platform, url, displayText }: Item<"connectLinks">) {
  const { colour, label } = platformOf(platform);
  const colours = { "--platform": colour, "--on-platform": readableOn(colour) } as CSSProperties;
  return (
    <a
      href={safeUrl(url)}
      target="_blank"
      rel="noopener noreferrer"
      className="platform"
      style={colours}
      aria-label={`${displayText} (${label}, opens in a new tab)`}
    >
      <span className="platform-disc">
        <PlatformIcon platform={platform} />
      </span>
      <span className="platform-text">{displayText}</span>
    </a>
  );
}
