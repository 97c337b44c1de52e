/** The Connect tab (spec section 2): the links and the settings of their section. */
import Link from "lucide-react/icons/link";
import { useId } from "react";
import type { Item } from "../../../schema/index.ts";
import { platformOf, PLATFORMS } from "../../../schema/platforms.ts";
import { useShell } from "../../shell.ts";
import { useEditedList } from "../data/editedValue.ts";
import { type Draft, useDraft } from "../data/useDraft.ts";
import { useEntity } from "../data/useEntity.ts";
import { Field } from "../editor/Field.tsx";
import { type ItemFormProps, ItemList } from "../editor/ItemList.tsx";
import { ItemActions } from "../editor/SaveButton.tsx";
import { TabHead } from "../parts/Card.tsx";
import { FieldFrame } from "../parts/FieldFrame.tsx";
import { Subtabs } from "../parts/Subtabs.tsx";
import { ListHistory, SectionSettings } from "./sectionTab.tsx";
import "./tabStyles.ts";

// The form of a connect link, in its dialog (spec sections 2 and 5).

/** Shows platform, address and words. */
export function LinkForm({ item, count, onClose }: ItemFormProps) {
  const draft = useDraft("connectLinks", {
    item,
    onSaved: onClose,
    initial: { order: count },
    toBody,
  });
  const { label, example } = platformOf(draft.values.platform);
  return (
    <>
      <div className="fields">
        <PlatformField draft={draft} />
        <Field draft={draft} name="url" placeholder={example} />
        <Field draft={draft} name="displayText" placeholder={label} />
      </div>
      <ItemActions draft={draft} onClose={onClose} save="Save" />
    </>
  );
}

/** Choosing a platform fills in its name and an example of its address (spec section 5). */
function PlatformField({ draft }: { draft: Draft<"connectLinks"> }) {
  const id = useId();
  const { platform } = draft.values;
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
        {!known && <option value={platform}>{platform}</option>}
        {PLATFORMS.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}

/** The whole link, as spec section 7 lists it. */
function toBody({ id, platform, url, displayText, order, isActive }: Item<"connectLinks">) {
  return { id, platform, url, displayText, order, isActive };
}

// The sign of a platform in a row.

/** Shows it; a globe for an unknown one (spec section 3). */
export function PlatformSign({ platform }: { platform: string }) {
  const sprite = useShell().assets.pictures["platforms"];
  const known = PLATFORMS.some(({ value }) => value === platform);
  return (
    <svg className="platform-sign" width="18" height="18" aria-hidden="true" fill="currentColor">
      <use href={`${sprite}#${known ? platform : "website"}`} />
    </svg>
  );
}

/** Shows the two subtabs. */
export function ConnectTab() {
  return (
    <>
      <TabHead title="Connect" note="Where else people find you." />
      <Subtabs
        label="Connect"
        tabs={[
          { key: "links", label: "Connect Links", panel: <Links /> },
          { key: "settings", label: "Section Settings", panel: <Settings /> },
        ]}
      />
    </>
  );
}

function Links() {
  const { value: links = [] } = useEntity("connectLinks");
  return (
    <ItemList
      entity="connectLinks"
      title="All links"
      what="connect links"
      add="Add Link"
      empty={{
        icon: Link,
        title: "No connect links yet",
        help: "Add the first place where people can follow you.",
      }}
      nameOf={(link) => nameOf(link, links)}
      confirmDelete="Are you sure you want to delete this link?"
      dialogTitle={(isNew) => (isNew ? "Add Connect Link" : "Edit Connect Link")}
      Form={LinkForm}
      actions={<ListHistory entity="connectLinks" settings="connectSettings" section="connect" />}
    >
      {({ platform, displayText, url }) => (
        <>
          <PlatformSign platform={platform} />
          <span className="row-words">
            <strong>{displayText}</strong>
            <span className="quiet">
              {platformOf(platform).label} · {url}
            </span>
          </span>
        </>
      )}
    </ItemList>
  );
}

/** The words alone where they tell links apart, else with the platform: "@nora (TikTok)". */
function nameOf(
  { displayText, platform }: Item<"connectLinks">,
  links: readonly Item<"connectLinks">[],
): string {
  const namesakes = links.filter((link) => link.displayText === displayText);
  return namesakes.length > 1 ? `${displayText} (${platformOf(platform).label})` : displayText;
}

function Settings() {
  const { items } = useEditedList("connectLinks");
  return (
    <SectionSettings
      entity="connectSettings"
      section="connect"
      content={{ connectLinks: [...items] }}
    />
  );
}
