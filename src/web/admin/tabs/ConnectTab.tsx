/** The Connect tab: links to platforms, and their section's settings. */
import type { Item } from "../../../schema/index.ts";
import {
  SAVE_EXAMPLE_QUESTION,
  isExampleUrl,
  getPlatform,
  OFFERED_PLATFORMS,
} from "../../../schema/sections/platforms.ts";
import type { Draft } from "../data/useDraft.ts";
import { Field } from "../editor/Field.tsx";
import { PlatformIcon } from "../parts/PlatformIcon.tsx";
import { createSectionTab } from "./SectionTab.tsx";

export const ConnectTab = createSectionTab("connectLinks", {
  Fields: LinkFields,
  doubtIn: ({ url }) => (isExampleUrl(url) ? SAVE_EXAMPLE_QUESTION : undefined),
  nameOf: linkName,
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

/** Adds the platform if several links have the same text: "@nora (TikTok)". */
function linkName(
  { displayText, platform }: Item<"connectLinks">,
  links: readonly Item<"connectLinks">[],
): string {
  const namesakes = links.filter((link) => link.displayText === displayText);
  return namesakes.length > 1 ? `${displayText} (${getPlatform(platform).label})` : displayText;
}

function LinkFields({ draft }: { draft: Draft<"connectLinks"> }) {
  const { platform } = draft.values;
  const { label, example } = getPlatform(platform);
  const isOffered = OFFERED_PLATFORMS.some(({ value }) => value === platform);
  return (
    <div className="fields">
      <Field
        draft={draft}
        name="platform"
        choices={isOffered ? OFFERED_PLATFORMS : [{ value: platform, label }, ...OFFERED_PLATFORMS]}
        onChange={(value) => choosePlatform(draft, value)}
      />
      <Field draft={draft} name="url" placeholder={example} />
      <Field draft={draft} name="displayText" placeholder={label} />
    </div>
  );
}

/** Also fills in the platform's name and an example URL. */
function choosePlatform(draft: Draft<"connectLinks">, platform: string): void {
  const { label, example } = getPlatform(platform);
  draft.setField("platform", platform);
  draft.setField("displayText", label);
  draft.setField("url", example);
}
