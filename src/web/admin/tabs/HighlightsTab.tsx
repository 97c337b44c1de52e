/** The Highlights tab (spec section 2): the list, the settings, the preview. */
import "./tabStyles.ts";
import Sparkles from "lucide-react/icons/sparkles";
import { useEditedList } from "../drafts/useEditedList.ts";
import { ItemList } from "../editor/ItemList.tsx";
import { PictureOf } from "../parts/PictureOf.tsx";
import { Subtabs } from "../parts/Subtabs.tsx";
import { TabHead } from "../parts/TabHead.tsx";
import { HighlightForm } from "./highlights/HighlightForm.tsx";
import { HighlightsPreview } from "./highlights/HighlightsPreview.tsx";
import { ListHistory } from "./ListHistory.tsx";
import { SectionSettings } from "./SectionSettings.tsx";

/** Shows the three subtabs. */
export function HighlightsTab() {
  return (
    <>
      <TabHead title="Highlights" note="Posters of your best moments." />
      <Subtabs
        label="Highlights"
        tabs={[
          { key: "list", label: "Highlights", panel: <List /> },
          { key: "settings", label: "Settings", panel: <Settings /> },
          { key: "preview", label: "Preview", panel: <HighlightsPreview /> },
        ]}
      />
    </>
  );
}

function List() {
  return (
    <ItemList
      entity="highlights"
      title="All highlights"
      what="highlights"
      add="Add Highlight"
      empty={{
        icon: Sparkles,
        title: "No highlights yet",
        help: "Add a picture with a title: a show, a shoot, a night to remember.",
      }}
      nameOf={({ title }) => title}
      dialogTitle={(isNew) => (isNew ? "Add New Highlight" : "Edit Highlight")}
      Form={HighlightForm}
      actions={
        <ListHistory entity="highlights" settings="highlightSettings" section="highlights" />
      }
    >
      {({ imageUrl, title, subtitle }) => (
        <>
          <PictureOf url={imageUrl} />
          <span className="row-words">
            <strong>{title}</strong>
            {subtitle && <span className="quiet">{subtitle}</span>}
          </span>
        </>
      )}
    </ItemList>
  );
}

function Settings() {
  const { items } = useEditedList("highlights");
  return (
    <SectionSettings
      entity="highlightSettings"
      section="highlights"
      content={{ highlights: [...items] }}
    />
  );
}
