/** The transformations of the coaching page: gallery, settings, preview (spec section 2). */
import Images from "lucide-react/icons/images";
import { useEditedList } from "../../drafts/useEditedList.ts";
import { ItemList } from "../../editor/ItemList.tsx";
import { ListPreview } from "../../editor/ListPreview.tsx";
import { PictureOf } from "../../parts/PictureOf.tsx";
import { Subtabs } from "../../parts/Subtabs.tsx";
import { ListHistory } from "../ListHistory.tsx";
import { SectionSettings } from "../SectionSettings.tsx";
import { TransformationForm } from "./TransformationForm.tsx";

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
