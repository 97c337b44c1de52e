/** The Press tab (spec section 2): the features, the settings, the preview. */
import "./tabStyles.ts";
import Newspaper from "lucide-react/icons/newspaper";
import { useEditedList } from "../drafts/useEditedList.ts";
import { ItemList } from "../editor/ItemList.tsx";
import { ListPreview } from "../editor/ListPreview.tsx";
import { PictureOf } from "../parts/PictureOf.tsx";
import { Subtabs } from "../parts/Subtabs.tsx";
import { TabHead } from "../parts/TabHead.tsx";
import { FeatureForm } from "./press/FeatureForm.tsx";
import { ListHistory } from "./ListHistory.tsx";
import { SectionSettings } from "./SectionSettings.tsx";

/** Shows the three subtabs. */
export function PressTab() {
  return (
    <>
      <TabHead title="Press" note="Who has written and spoken of you." />
      <Subtabs
        label="Press"
        tabs={[
          { key: "features", label: "Features", panel: <Features /> },
          { key: "settings", label: "Settings", panel: <Settings /> },
          { key: "preview", label: "Preview", panel: <PressPreview /> },
        ]}
      />
    </>
  );
}

function Features() {
  return (
    <ItemList
      entity="pressFeatures"
      title="All features"
      what="press features"
      add="Add Feature"
      empty={{
        icon: Newspaper,
        title: "No press features yet",
        help: "Add a network, a magazine or a show that featured you.",
      }}
      nameOf={({ name }) => name}
      confirmDelete="Are you sure you want to delete this press feature?"
      Form={FeatureForm}
      actions={<ListHistory entity="pressFeatures" settings="pressSettings" section="press" />}
    >
      {({ logoUrl, name, subtitle }) => (
        <>
          {logoUrl && <PictureOf url={logoUrl} className="row-logo" />}
          <span className="row-words">
            <strong>{name}</strong>
            <span className="quiet">{subtitle}</span>
          </span>
        </>
      )}
    </ItemList>
  );
}

function Settings() {
  const { items } = useEditedList("pressFeatures");
  return (
    <SectionSettings
      entity="pressSettings"
      section="press"
      content={{ pressFeatures: [...items] }}
    />
  );
}

/** Two columns on a phone, six on a computer: those of the page (spec section 2). */
function PressPreview() {
  return (
    <ListPreview
      section="press"
      entity="pressFeatures"
      settings="pressSettings"
      empty="Add a feature and it shows here."
    />
  );
}
