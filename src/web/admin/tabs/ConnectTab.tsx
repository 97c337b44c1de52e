/** The Connect tab: links to platforms, and their section's settings. */
import { useId } from "react";
import type { Item } from "../../../schema/index.ts";
import { platformOf, PLATFORMS } from "../../../schema/platforms.ts";
import type { Draft } from "../data/useDraft.ts";
import { Field } from "../editor/Field.tsx";
import { FieldFrame } from "../../ui/FieldFrame.tsx";
import { PlatformSign } from "../parts/PlatformSign.tsx";
import { sectionTab } from "./SectionTab.tsx";

export const ConnectTab = sectionTab("connectLinks", {
  Fields: LinkFields,
  nameOf,
  Row: ({ platform, displayText, url }) => (
    <>
      <PlatformSign platform={platform} />
      <span className="row-words words">
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
  const { label, example } = platformOf(draft.values.platform);
  return (
    <div className="fields">
      <PlatformField draft={draft} />
      <Field draft={draft} name="url" placeholder={example} />
      <Field draft={draft} name="displayText" placeholder={label} />
    </div>
  );
}

/** Choosing a platform fills in its name and an example URL. */
function PlatformField({ draft }: { draft: Draft<"connectLinks"> }) {
  const id = useId();
  const { platform } = draft.values;
  const { label } = platformOf(platform);
  const known = PLATFORMS.some(({ value }) => value === platform);
  const choose = (value: string) => {
    const { label, example } = platformOf(value);
    draft.set("platform", value);
    draft.set("displayText", label);
    draft.set("url", example);
  };
  return (
    <FieldFrame id={id} label="Platform">
      <select id={id} value={platform} onChange={({ target }) => choose(target.value)}>
        {!known && <option value={platform}>{label}</option>}
        {PLATFORMS.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}
