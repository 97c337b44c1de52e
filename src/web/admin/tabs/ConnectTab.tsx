/** The Connect tab (spec section 2): the links and the settings of their section. */
import "./tabStyles.ts";
import Link from "lucide-react/icons/link";
import type { Item } from "../../../schema/index.ts";
import { platformOf } from "../../../schema/platforms.ts";
import { useEditedList } from "../drafts/useEditedList.ts";
import { ItemList } from "../editor/ItemList.tsx";
import { Subtabs } from "../parts/Subtabs.tsx";
import { TabHead } from "../parts/TabHead.tsx";
import { useEntity } from "../queries/useEntity.ts";
import { LinkForm } from "./connect/LinkForm.tsx";
import { PlatformSign } from "./connect/PlatformSign.tsx";
import { ListHistory } from "./ListHistory.tsx";
import { SectionSettings } from "./SectionSettings.tsx";

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
