/** The Connect tab: links to platforms, and their section's settings. */
import type { Item } from "../../../schema/index.ts";
import {
  EXAMPLE_QUESTION,
  isExample,
  platformOf,
  PLATFORMS,
} from "../../../schema/sections/platforms.ts";
import type { Draft } from "../data/useDraft.ts";
import { Field } from "../editor/Field.tsx";
import { PlatformSign } from "../parts/PlatformSign.tsx";
import { sectionTab } from "./SectionTab.tsx";

export const ConnectTab = sectionTab("connectLinks", {
  Fields: LinkFields,
  doubtIn: ({ url }) => (isExample(url) ? EXAMPLE_QUESTION : undefined),
  nameOf,
  Row: ({ platform, displayText, url }) => (
    <>
      <PlatformSign platform={platform} />
      <span className="row-text title-note">
        <strong>{displayText}</strong>
        <span className="quiet">
          {platformOf(platform).label} · {url.replace(/^https?:\/\/(www\.)?/, "")}
        </span>
      </span>
    </>
  ),
});

/** The text if it is unique, else with the platform: "@nora (TikTok)". */
function nameOf(
  { displayText, platform }: Item<"connectLinks">,
  links: readonly Item<"connectLinks">[],
): string {
  const namesakes = links.filter((link) => link.displayText === displayText);
  return namesakes.length > 1 ? `${displayText} (${platformOf(platform).label})` : displayText;
}

function LinkFields({ draft }: { draft: Draft<"connectLinks"> }) {
  const { platform } = draft.values;
  const { label, example } = platformOf(platform);
  const isOffered = PLATFORMS.some(({ value }) => value === platform);
  return (
    <div className="fields">
      <Field
        draft={draft}
        name="platform"
        choices={isOffered ? PLATFORMS : [{ value: platform, label }, ...PLATFORMS]}
        onChange={(value) => choose(draft, value)}
      />
      <Field draft={draft} name="url" placeholder={example} />
      <Field draft={draft} name="displayText" placeholder={label} />
    </div>
  );
}

/** Choosing a platform fills in its name and an example URL. */
function choose(draft: Draft<"connectLinks">, platform: string): void {
  const { label, example } = platformOf(platform);
  draft.set("platform", platform);
  draft.set("displayText", label);
  draft.set("url", example);
}
