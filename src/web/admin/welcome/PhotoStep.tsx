/** The second screen of the welcome assistant: a photo of the performer. */
import CircleCheck from "lucide-react/icons/circle-check";
import ImagePlus from "lucide-react/icons/image-plus";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import { useState } from "react";
import { createPortraitLayout } from "../../../schema/sections/heroPortrait.ts";
import { usePageContext } from "../../shared/pageContext.ts";
import { Button } from "../../ui/Button.tsx";
import {
  describeStep,
  pickUploadFields,
  saveUploadFields,
  getUploadedShare,
  useUpload,
} from "../data/uploadPicture.ts";
import type { Upload } from "../data/uploads.ts";
import { useUnsentForm } from "../data/useUnsentForm.ts";
import { CropBoard } from "../editor/CropBoard.tsx";
import { PortraitThumbnail, CropThumbnail } from "../editor/CropChoice.tsx";
import { TextField } from "../../ui/Field.tsx";
import { ChooseFilesButton } from "../parts/ChooseFiles.tsx";
import { UrlThumbnail } from "../parts/Thumbnail.tsx";
import { savePhotos } from "./saveWelcome.ts";
import {
  type StepProps,
  useStepSave,
  createWelcomeForm,
  StepButtons,
  WelcomeFrame,
} from "./WelcomeFrame.tsx";

export function PhotoStep({ hero, onNext, onBack }: StepProps) {
  const { styles } = usePageContext();
  const form = useUnsentForm<ChosenPhotos>(createWelcomeForm("photo"), NO_PHOTOS);
  const { photo, second } = form.values;
  const { save, go, ...saveState } = useStepSave(onNext);
  // Most photos show the performer, so the name is the default description.
  const addDefaultAlt = (file: Upload) => ({ ...file, alt: file.alt || hero.mainTitle });
  const photoUpload = usePhotoUpload((file) => form.setValues({ photo: addDefaultAlt(file) }));
  const secondUpload = usePhotoUpload((file) => form.setValues({ second: addDefaultAlt(file) }));
  const photoUrl = photo?.url ?? hero.backgroundImage;
  const saveAndContinue = () =>
    save(async () => {
      if (!photo) return;
      await saveUploadFields(photo.id, pickUploadFields(photo));
      if (second) await saveUploadFields(second.id, pickUploadFields(second));
      await savePhotos(photo.url, second?.url);
      form.discard();
    });
  return (
    <WelcomeFrame
      step={2}
      title="A photo of you"
      note="Any photo from your phone works. We'll rotate and resize it for you."
      hero={{ ...hero, backgroundImage: photoUrl }}
      styles={styles}
      footer={
        <StepButtons
          onBack={() => go(onBack)}
          nextLabel={photoUrl ? "Next" : "Skip for now"}
          isSkipping={!photoUrl}
          onNext={saveAndContinue}
          {...saveState}
          isDisabled={photoUpload.step !== undefined || secondUpload.step !== undefined}
        />
      }
    >
      {photo ? (
        <ChosenPhoto
          photo={photo}
          onChange={(changes) => form.setValues({ photo: { ...photo, ...changes } })}
        />
      ) : (
        photoUrl && <UrlThumbnail url={photoUrl} className="welcome-photo well full-width" />
      )}
      <UploadStatus upload={photoUpload} />
      <PhotoButton isFirst={!photoUrl} onChoose={photoUpload.send} />
      {photo && (
        <SecondPhoto
          photo={second}
          upload={secondUpload}
          onRemove={() => form.setValues({ second: undefined })}
        />
      )}
    </WelcomeFrame>
  );
}

interface ChosenPhotoProps {
  readonly photo: Upload;
  readonly onChange: (fields: Partial<Upload>) => void;
}

function ChosenPhoto({ photo, onChange }: ChosenPhotoProps) {
  return (
    <>
      <CropBoard
        picture={photo}
        cropName={null}
        onFocalPoint={(focus) => onChange({ focus })}
        onCrop={() => undefined}
      />
      <p id="crop-hint" className="quiet small mb-16">
        Tap your face to keep it in view on every screen.
      </p>
      <p className="row mt-12 mb-16">
        <CircleCheck size={20} aria-hidden="true" />
        <span>
          <strong>Photo ready</strong> <span className="quiet">{describeSize(photo)}</span>
        </span>
      </p>
      <CropPreviews photo={photo} />
      <TextField
        state={{ value: photo.alt, setValue: (alt) => onChange({ alt }) }}
        label="Describe the photo"
        hint="Screen readers read this aloud."
        maxCharacters={160}
        dir="auto"
      />
    </>
  );
}

/** One photo for both heroes, and optionally a second one for About. */
interface ChosenPhotos {
  readonly photo: Upload | undefined;
  readonly second: Upload | undefined;
}

const NO_PHOTOS: ChosenPhotos = { photo: undefined, second: undefined };

interface SecondPhotoProps {
  readonly photo: Upload | undefined;
  readonly upload: ReturnType<typeof usePhotoUpload>;
  readonly onRemove: () => void;
}

function SecondPhoto({ photo, upload, onRemove }: SecondPhotoProps) {
  return (
    <section
      className="welcome-second separated gap-12 stack border-top"
      aria-label="Second photo, for the About section (optional)"
    >
      <p>
        <strong>Second photo, for the About section (optional)</strong>{" "}
        <span className="quiet">Without one, About uses the first photo.</span>
      </p>
      {photo && <CropThumbnail picture={photo} ratio="about" />}
      <UploadStatus upload={upload} />
      <div className="cluster">
        <PhotoButton label="Second photo" isFirst={false} onChoose={upload.send}>
          {photo ? "Change the second photo" : "Add a second photo"}
        </PhotoButton>
        {photo && (
          <Button variant="quiet" onClick={onRemove}>
            Remove photo
          </Button>
        )}
      </div>
    </section>
  );
}

function UploadStatus({
  upload: { step, failure },
}: {
  upload: ReturnType<typeof usePhotoUpload>;
}) {
  return (
    <>
      {step && (
        <label className="mt-12 mb-16 gap-4 stack quiet small">
          <span>{describeStep(step)}</span>
          <progress value={getUploadedShare(step)} />
        </label>
      )}
      {failure !== undefined && (
        <p className="row mt-12 mb-16" data-tone="bad" role="alert">
          <TriangleAlert size={16} aria-hidden="true" /> {failure}
        </p>
      )}
    </>
  );
}

function CropPreviews({ photo }: { photo: Upload }) {
  const layout = createPortraitLayout(photo, "left");
  const portraitRatio = layout?.orientation === "upright" ? layout.ratio : undefined;
  return (
    <div className="welcome-crops row gap-12 mb-16">
      {CROP_PREVIEWS.map(({ label, crop, minRatio }) => (
        <figure key={label}>
          {portraitRatio === undefined ? (
            <CropThumbnail picture={photo} ratio={crop} />
          ) : (
            <PortraitThumbnail picture={photo} ratio={Math.max(portraitRatio, minRatio)} />
          )}
          <figcaption className="faint small">{label}</figcaption>
        </figure>
      ))}
    </div>
  );
}

/** The aspect ratio of the area that the text leaves free on a phone of 390 by 844 pixels. */
const FREE_AREA_RATIO = 0.8;

const CROP_PREVIEWS = [
  { label: "Phone", crop: "heroTall", minRatio: FREE_AREA_RATIO },
  { label: "Computer", crop: "heroWide", minRatio: 0 },
] as const;

interface PhotoButtonProps {
  readonly label?: string;
  readonly isFirst: boolean;
  readonly children?: string;
  readonly onChoose: (file: File) => void;
}

function PhotoButton({ label = "Photo", isFirst, children, onChoose }: PhotoButtonProps) {
  return (
    <ChooseFilesButton
      inputLabel={label}
      className={isFirst ? "welcome-choose full-width" : ""}
      onFiles={([file]) => file && onChoose(file)}
    >
      <ImagePlus size={20} aria-hidden="true" />{" "}
      {children ?? (isFirst ? "Choose a photo" : "Change")}
    </ChooseFilesButton>
  );
}

function usePhotoUpload(onUploaded: (upload: Upload) => void) {
  const [failure, setFailure] = useState<string>();
  const { step, send } = useUpload(onUploaded, {
    failure: "Couldn't upload the photo. Check your connection and try again.",
    showFailure: setFailure,
  });
  const start = (file: File) => {
    setFailure(undefined);
    send(file);
  };
  return { step, failure, send: start };
}

function describeSize({ size, width, height }: Upload): string {
  return `${width} × ${height}, ${Math.round(size / 1024)} KB`;
}
