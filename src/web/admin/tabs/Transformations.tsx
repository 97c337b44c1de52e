/** The transformations of the coaching page: gallery, settings, preview (spec section 2). */
import Images from "lucide-react/icons/images";
import type { Item } from "../../../schema/index.ts";
import { useEditedList } from "../data/editedValue.ts";
import { useDraft } from "../data/useDraft.ts";
import { EntityForm } from "../editor/Field.tsx";
import { type ItemFormProps, ItemList } from "../editor/ItemList.tsx";
import { ItemActions } from "../editor/SaveButton.tsx";
import { PictureOf } from "../parts/PictureOf.tsx";
import { Subtabs } from "../parts/Subtabs.tsx";
import { ListHistory, ListPreview, SectionSettings } from "./sectionTab.tsx";

// The form of a new transformation, in its dialog (spec sections 2 and 5).

/** Shows the picker; saving without a picture says "Image is required" and sends nothing. */
function TransformationForm({ item, count, onClose }: ItemFormProps) {
  const draft = useDraft("transformations", {
    item,
    onSaved: onClose,
    initial: { order: count },
    toBody,
  });
  return (
    <>
      <EntityForm draft={draft} only={["imageUrl"]} />
      <ItemActions draft={draft} onClose={onClose} save="Save Transformation" />
    </>
  );
}

function toBody({ imageUrl, order }: Item<"transformations">) {
  return { imageUrl, order };
}

/** How long after the last change the settings save by themselves (spec section 9). */
const AUTOSAVE = 1000;
/** How many pictures the preview shows (spec section 9). */
const SHOWN = 6;

/** Shows the three subtabs. */
export function Transformations() {
  return (
    <Subtabs
      label="Transformations"
      within="transformations"
      tabs={[
        { key: "gallery", label: "Gallery", panel: <Gallery /> },
        { key: "settings", label: "Settings", panel: <Settings /> },
        { key: "preview", label: "Preview", panel: <TransformationsPreview /> },
      ]}
    />
  );
}

const nameOf = ({ order }: { order: number }) => `Transformation #${order + 1}`;

function Gallery() {
  return (
    <ItemList
      entity="transformations"
      title="All transformations"
      what="transformations"
      add="Add Transformation"
      empty={{
        icon: Images,
        title: "No transformations yet",
        help: "Add a picture of what your coaching has done for someone.",
      }}
      nameOf={nameOf}
      confirmDelete="Are you sure you want to delete this transformation?"
      dialogTitle={() => "Add Transformation"}
      Form={TransformationForm}
      editable={false}
      actions={
        <ListHistory
          entity="transformations"
          settings="transformationSettings"
          section="transformations"
        />
      }
    >
      {(item) => (
        <>
          <PictureOf url={item.imageUrl} />
          <strong>{nameOf(item)}</strong>
        </>
      )}
    </ItemList>
  );
}

function Settings() {
  const { items } = useEditedList("transformations");
  return (
    <SectionSettings
      entity="transformationSettings"
      section="transformations"
      content={{ transformations: items.slice(0, SHOWN) }}
      autosave={AUTOSAVE}
    />
  );
}

function TransformationsPreview() {
  return (
    <ListPreview
      section="transformations"
      entity="transformations"
      settings="transformationSettings"
      shown={SHOWN}
      empty="Add a transformation and it shows here."
    />
  );
}
