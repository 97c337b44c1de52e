/** Links to the performer's profiles on other platforms, as a row of round icons. */
import type { CSSProperties } from "react";
import type { Item } from "../../../schema/index.ts";
import { chooseTextColorOnHex } from "../../../schema/core/hexColor.ts";
import { getPlatformIconPosition, getPlatform } from "../../../schema/sections/platforms.ts";
import { toSafeUrl } from "../../../schema/core/safeUrl.ts";
import { type LoadedPage, getSingletonValue } from "../../shared/content.ts";
import { usePageContext } from "../../shared/pageContext.ts";
import { fillPlaceholders } from "../../words/placeholders.ts";
import { useWords } from "../../words/siteWords.ts";
import { SectionShell } from "../parts/SectionShell.tsx";

/** Renders nothing without links (specification, section 2.3). */
export function Connect({ content }: LoadedPage) {
  const links = (content.connectLinks ?? []).filter((link) => toSafeUrl(link.url));
  const settings = getSingletonValue(content, "connectSettings");
  if (links.length === 0) return null;
  const note = (
    <div className="rich" dir="auto" dangerouslySetInnerHTML={{ __html: settings.description }} />
  );
  return (
    <SectionShell id="connect" className="connect" settings={settings} note={note}>
      <PlatformLinks links={links} />
    </SectionShell>
  );
}

/** The links as a row of icons: in their section, in a phone's menu, and at the end of a page. */
export function PlatformLinks({
  links = [],
}: {
  links?: readonly Item<"connectLinks">[] | undefined;
}) {
  const safeLinks = links.filter((link) => toSafeUrl(link.url));
  if (safeLinks.length === 0) return null;
  return (
    <ul className="platforms">
      {safeLinks.map((link) => (
        <li key={link.id}>
          <PlatformLink {...link} />
        </li>
      ))}
    </ul>
  );
}

function PlatformLink({ platform, url, displayText }: Item<"connectLinks">) {
  const { words } = useWords();
  const { color, label } = getPlatform(platform);
  const colors = {
    "--platform": color,
    "--on-platform": chooseTextColorOnHex(color),
  } as CSSProperties;
  return (
    <a
      href={toSafeUrl(url)}
      target="_blank"
      rel="noopener noreferrer"
      className="platform"
      style={colors}
      aria-label={fillPlaceholders(words.connect.linkLabel, { text: displayText, platform: label })}
    >
      <span className="platform-disc">
        <PlatformIcon platform={platform} />
      </span>
      <span className="platform-text" dir="auto">
        {displayText}
      </span>
    </a>
  );
}

/** A platform's icon, which the style sheet crops from one picture. With `<use>`, icons load only after the layout. */
function PlatformIcon({ platform }: { platform: string }) {
  const icons = usePageContext().assets.pictures["platforms"];
  const style = { "--icons": `url(${icons})`, "--place": getPlatformIconPosition(platform) };
  return <span className="platform-icon" aria-hidden="true" style={style as CSSProperties} />;
}
