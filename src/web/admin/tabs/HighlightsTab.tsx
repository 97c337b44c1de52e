/** The Highlights tab (spec section 2): the list, the settings, the preview. */
import Sparkles from "lucide-react/icons/sparkles";
import { NEW } from "../data/drafts.ts";
import { useEditedList } from "../data/editedValue.ts";
import { useDraft } from "../data/useDraft.ts";
import { EntityForm } from "../editor/Field.tsx";
import { type ItemFormProps, ItemList } from "../editor/ItemList.tsx";
import { ItemActions } from "../editor/SaveButton.tsx";
import { TabHead } from "../parts/Card.tsx";
import { PictureOf } from "../parts/PictureOf.tsx";
import { Subtabs } from "../parts/Subtabs.tsx";
import { ListHistory, ListPreview, SectionSettings } from "./sectionTab.tsx";
import "./tabStyles.ts";

// The form of a highlight, in its dialog (spec section 2, "Highlights tab").

/** Shows the fields, the chosen picture and the button, off until title and image are there. */
export function HighlightForm({ item, count, onClose }: ItemFormProps) {
  const draft = useDraft("highlights", { item, onSaved: onClose, initial: { order: count } });
  const { title, imageUrl } = draft.values;
  const isNew = item === NEW;
  return (
    <>
      <EntityForm draft={draft} />
      {imageUrl && (
        <PictureOf url={imageUrl} alt="Preview of the selected image" className="chosen-picture" />
      )}
      <ItemActions
        draft={draft}
        onClose={onClose}
        save={isNew ? "Create Highlight" : "Update Highlight"}
        pending={isNew ? "Creating..." : "Updating..."}
        disabled={title.trim() === "" || imageUrl === ""}
      />
    </>
  );
}

// The first highlights as a computer and a phone show them (spec section 2, "Highlights tab").

/** How many are shown (spec section 9). */
const SHOWN = 3;

/** Three columns on a computer; under one another on a phone, where visitors have the carousel. */
const CSS = `
.page .posters { grid-template-columns: repeat(3, minmax(0, 1fr)); }
@container page (max-width: 767px) {
  .page .posters { display: grid; grid-template-columns: minmax(0, 1fr); margin: 0; padding: 0; overflow: visible; }
  .posters > li { width: auto; }
  .carousel-controls { display: none; }
}`;

/** Shows both sizes beside each other. */
export function HighlightsPreview() {
  return (
    <ListPreview
      section="highlights"
      entity="highlights"
      settings="highlightSettings"
      shown={SHOWN}
      empty="Add a highlight and it shows here."
      css={CSS}
      both
    />
  );
}

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
