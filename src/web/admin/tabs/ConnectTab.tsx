/** The Connect tab: links to platforms, and their section's settings. */
import type { Item } from "../../../schema/index.ts";
import {
  SAVE_EXAMPLE_QUESTION,
  isExampleUrl,
  getPlatform,
  OFFERED_PLATFORMS,
} from "../../../schema/sections/platforms.ts";
import type { Draft } from "../data/useDraft.ts";
import type { ItemOverrides } from "../editor/ItemForm.tsx";
import { PlatformIcon } from "../parts/PlatformIcon.tsx";
import { createSectionTab } from "./SectionTab.tsx";

export const ConnectTab = createSectionTab("connectLinks", {
  overrideFields: createLinkFieldOverrides,
  findWarning: ({ url }) => (isExampleUrl(url) ? SAVE_EXAMPLE_QUESTION : undefined),
  getName: getLinkName,
  Row: ({ platform, displayText, url }) => (
    <>
      <PlatformIcon platform={platform} />
      <span className="row-text title-note">
        <strong>{displayText}</strong>
        <span className="quiet">
          {getPlatform(platform).label} · {url.replace(/^https?:\/\/(www\.)?/, "")}
        </span>
      </span>
    </>
  ),
});

/** Returns a link's text. If several links have the same text, the platform is added: "@nora (TikTok)". */
function getLinkName(
  { displayText, platform }: Item<"connectLinks">,
  links: readonly Item<"connectLinks">[],
): string {
  const linksWithSameText = links.filter((link) => link.displayText === displayText);
  return linksWithSameText.length > 1
    ? `${displayText} (${getPlatform(platform).label})`
    : displayText;
}

function createLinkFieldOverrides(draft: Draft<"connectLinks">): ItemOverrides {
  const { platform } = draft.values;
  const { label, example } = getPlatform(platform);
  const isOffered = OFFERED_PLATFORMS.some(({ value }) => value === platform);
  return {
    platform: {
      choices: isOffered ? OFFERED_PLATFORMS : [{ value: platform, label }, ...OFFERED_PLATFORMS],
      onChange: (value) => choosePlatform(draft, value),
    },
    url: { placeholder: example },
    displayText: { placeholder: label },
    isActive: { isHidden: true },
  };
}

function choosePlatform(draft: Draft<"connectLinks">, platform: string): void {
  const { label, example } = getPlatform(platform);
  draft.setField("platform", platform);
  draft.setField("displayText", label);
  draft.setField("url", example);
}
