/** The editor of a picture: focal point, crops, description. */
import CropIcon from "lucide-react/icons/crop";
import ImageUp from "lucide-react/icons/image-up";
import RotateCcw from "lucide-react/icons/rotate-ccw";
import Trash2 from "lucide-react/icons/trash";
import { useState } from "react";
import type { Crops, CropName } from "../../../schema/pictures/pictures.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import {
  describeStep,
  pickUploadFields,
  saveUploadFields,
  type UploadFields,
  useUpload,
} from "../data/uploadPicture.ts";
import { type Upload, useUploads } from "../data/uploads.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { useAction } from "../../ui/useAction.ts";
import { ChooseFilesButton } from "../parts/ChooseFiles.tsx";
import { createFormPortal } from "../parts/formPortal.ts";
import { useStylesheet } from "../parts/useStylesheet.ts";
import { CropBoard } from "./CropBoard.tsx";
import { CROP_RATIO_LABELS } from "./cropping.ts";
import { usePictureDeletionQuestion } from "./DeletePicture.tsx";
import css from "./PictureEditor.css" with { type: "text" };
import { PictureFacts, CropChoice } from "./CropChoice.tsx";
import { entities } from "../../../schema/index.ts";
import { assertDefined } from "../../../schema/core/assertDefined.ts";
import { pickAriaAttributes, Field, TextField } from "../../ui/Field.tsx";
import { SegmentedControl } from "../../ui/SegmentedControl.tsx";
import { ToggleField } from "../parts/Toggle.tsx";

/** `id` is the upload's id; `focusedField` has the focus when the editor opens. */
export interface PictureEditorProps {
  readonly id: string;
  readonly focusedField?: "alt" | undefined;
  /** Called with the new upload, whose id and URL differ from the old ones. */
  readonly onReplaced: (id: string, url: string) => void;
  readonly onClose: () => void;
}

/** "Save image" stores the changes. "Replace" and "Delete" take effect at once. */
export function PictureEditor(props: PictureEditorProps) {
  const { files } = useUploads();
  const current = files?.find(({ id }) => id === props.id);
  // The old picture is shown until the list of uploads contains its replacement.
  const [upload, setUpload] = useState(current);
  if (current && current !== upload) setUpload(current);
  // The edits are kept here, since a replaced picture gets a new `PictureForm`.
  const [edits, setEdits] = useState<Partial<UploadFields>>({});
  const edit = (fields: Partial<UploadFields>) => setEdits((before) => ({ ...before, ...fields }));
  if (!upload) return null;
  const formProps = { ...props, upload, edits, edit };
  return createFormPortal(<PictureForm key={upload.id} {...formProps} />);
}

interface PictureFormProps extends PictureEditorProps {
  readonly upload: Upload;
  readonly edits: Partial<UploadFields>;
  readonly edit: (fields: Partial<UploadFields>) => void;
}

function PictureForm({ upload, focusedField, onReplaced, onClose, edits, edit }: PictureFormProps) {
  useStylesheet(css);
  const fields: UploadFields = { ...pickUploadFields(upload), ...edits };
  const [cropName, setCropName] = useState<CropName | null>(null);
  const [nameError, setNameError] = useState<string>();
  const [confirmDelete, deletionQuestion] = usePictureDeletionQuestion(upload, onClose);
  const picture = { ...upload, ...fields };
  const isLogo = fields.kind === "logo";
  const isChanged = JSON.stringify(fields) !== JSON.stringify(pickUploadFields(upload));
  const tryClose = () => {
    if (!isChanged || window.confirm(DISCARD_QUESTION)) onClose();
  };
  const [isSaving, saveFields] = useAction(
    async () => {
      await saveUploadFields(upload.id, edits);
      onClose();
    },
    { success: "Image saved", failure: "Couldn't save the image" },
  );
  const save = () =>
    fields.originalName.trim() === "" ? setNameError("Enter a name.") : saveFields();
  return (
    <Dialog isOpen onClose={tryClose} title="Edit image" size="large" className="picture-editor">
      <div className="picture-body">
        <PictureBoard picture={picture} cropName={isLogo ? null : cropName} onChange={edit} />
        <div className="picture-side gap-16 stack">
          {!isLogo && (
            <CropChoice picture={picture} selectedName={cropName} onChoose={setCropName} />
          )}
          <PictureFields
            fields={fields}
            focusedField={focusedField}
            nameError={nameError}
            onChange={edit}
          />
          <PictureFacts picture={picture} />
        </div>
      </div>
      <div className="picture-actions border-top row">
        <ReplacePicture upload={upload} onReplaced={onReplaced} />
        <IconButton icon={Trash2} label={`Delete ${upload.originalName}`} onClick={confirmDelete} />
        <Button variant="quiet" className="desktop-only" onClick={tryClose}>
          Cancel
        </Button>
        <Button variant="primary" isPending={isSaving} onClick={save}>
          {isSaving ? "Saving..." : "Save image"}
        </Button>
      </div>
      {deletionQuestion}
    </Dialog>
  );
}

interface PictureBoardProps {
  readonly picture: Upload;
  readonly cropName: CropName | null;
  readonly onChange: (fields: Partial<UploadFields>) => void;
}

/** A logo is shown whole. Other pictures have a focal point and crops. */
function PictureBoard({ picture, cropName, onChange }: PictureBoardProps) {
  const { kind, url, tone, cuts } = picture;
  return (
    <div className="picture-board center">
      {kind === "logo" ? (
        <div className="picture-uncropped full-width">
          <img src={url} alt="" data-tone={tone} />
        </div>
      ) : (
        <CropBoard
          picture={picture}
          cropName={cropName}
          onFocalPoint={(focus) => onChange({ focus })}
          onCrop={(cropRatio, crop) => onChange({ cuts: { ...cuts, [cropRatio]: crop } })}
        />
      )}
      <CropHint
        picture={picture}
        cropName={cropName}
        onReset={(resetRatio) => onChange({ cuts: removeCrop(cuts, resetRatio) })}
      />
    </div>
  );
}

const DISCARD_QUESTION = "Discard your changes to this image?";

function removeCrop(cuts: Crops | null, ratio: CropName): Crops | null {
  const { [ratio]: _, ...rest } = cuts ?? {};
  return Object.keys(rest).length > 0 ? rest : null;
}

interface CropHintProps extends Pick<PictureBoardProps, "picture" | "cropName"> {
  readonly onReset: (ratio: CropName) => void;
}

function CropHint({ picture, cropName, onReset }: CropHintProps) {
  return (
    <div className="picture-hint card-row full-width border-top small row">
      <CropIcon size={16} className="quiet" aria-hidden="true" />
      <p id="crop-hint" className="grow">
        {picture.kind === "logo" ? (
          "Logos are never cropped."
        ) : (
          <>
            Tap the part that must stay visible.{" "}
            {cropName && (
              <>
                Drag the corners to crop the image for{" "}
                <strong>{CROP_RATIO_LABELS[cropName]}</strong>.
              </>
            )}
          </>
        )}
      </p>
      {cropName && picture.cuts?.[cropName] && (
        <Button variant="quiet" onClick={() => onReset(cropName)}>
          <RotateCcw size={16} aria-hidden="true" /> Reset crop
        </Button>
      )}
    </div>
  );
}

/** Replaces the file wherever it is used, and moves the old one to the trash. */
function ReplacePicture({ upload, onReplaced }: Pick<PictureFormProps, "upload" | "onReplaced">) {
  const { step, send } = useUpload(({ id, url }) => onReplaced(id, url), {
    replacedUpload: upload,
    success: "Image replaced everywhere",
    failure: "Couldn't replace the image",
  });
  return (
    <ChooseFilesButton isPending={step !== undefined} onFiles={([file]) => file && send(file)}>
      <ImageUp size={16} aria-hidden="true" /> {step ? describeStep(step) : "Replace"}
    </ChooseFilesButton>
  );
}

interface PictureFieldsProps {
  readonly fields: UploadFields;
  readonly focusedField: "alt" | undefined;
  readonly nameError: string | undefined;
  readonly onChange: (fields: Partial<UploadFields>) => void;
}

const { alt: ALT_FIELD, originalName: NAME_FIELD, kind: KIND_FIELD } = entities.uploads.fields;

function PictureFields({ fields, focusedField, nameError, onChange }: PictureFieldsProps) {
  const { alt, decorative, originalName, kind } = fields;
  return (
    <div className="fields">
      <TextField
        state={{ value: alt, setValue: (text) => onChange({ alt: text }) }}
        label="Image description"
        hint="Screen readers read this aloud wherever the image appears."
        maxCharacters={assertDefined(ALT_FIELD.maxLength, "length of a description")}
        isCounted
        dir="auto"
        disabled={decorative}
        data-autofocus={focusedField === "alt" ? "" : undefined}
      />
      <ToggleField
        state={{
          value: decorative,
          setValue: (isDecorative) => onChange({ decorative: isDecorative }),
        }}
        label="Decorative (screen readers skip it)"
      />
      <TextField
        state={{
          value: originalName,
          setValue: (name) => onChange({ originalName: name }),
          error: nameError,
        }}
        label="Name"
        maxCharacters={assertDefined(NAME_FIELD.maxLength, "length of a name")}
      />
      <Field
        state={{ value: kind, setValue: (value) => onChange({ kind: value }) }}
        label="Kind"
        labelElement="none"
      >
        {(control, choose) => (
          <SegmentedControl
            {...pickAriaAttributes(control)}
            label="Kind"
            options={KIND_FIELD.choices ?? []}
            value={kind}
            onChoose={choose}
          />
        )}
      </Field>
    </div>
  );
}
